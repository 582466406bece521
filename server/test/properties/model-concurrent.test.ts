// Random requests side by side on two instances: no order of them is foretold, but the bounds that hold in every order do,
// and the audit finds nothing.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { auditLedger, type Difference } from '../../src/storage/audit/audit-ledger.ts'
import { type Answer, startTestService, type TestService } from '../service.ts'
import { setting, step } from './model-arbitraries.ts'
import { type Call, type Resolver, toCall } from './model-call.ts'
import { assertAccessLaws, assertBonusLaws } from './model-laws.ts'
import { customerIds, type Setting, type Step } from './model-steps.ts'
import { startWorld } from './model-world.ts'

const seed = Number(process.env.TOLLKEEPER_MODEL_SEED ?? Date.now() % 2 ** 31)
const numRuns = Number(process.env.TOLLKEEPER_CONCURRENT_RUNS ?? 40)
const atOnce = 16

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
})
after(() => service.close())

/** Names things by what was answered before; instants are counted from where the clock began. */
function createResolver(startAt: number) {
  const events: string[] = []
  const bonuses: string[] = []
  const pick = (list: string[], n: number) => {
    const id = list[n % Math.max(1, list.length)]
    return id === undefined ? undefined : { modelId: 0, id, expiresAt: startAt + 86_400_000 }
  }
  const resolver: Resolver = {
    instant: (_subject, { plus }) => startAt + plus,
    event: (n) => pick(events, n),
    bonus: (n) => pick(bonuses, n),
    subjectOf: () => ({ customerId: 'ann', featureKey: 'calls' }),
  }
  const learn = ({ body }: Answer) => {
    if (body?.eventId && body.applied) events.push(body.eventId)
    if (body?.bonus) bonuses.push(body.bonus.bonusId)
  }
  return { resolver, learn }
}

async function live(begin: Setting, steps: Step[]): Promise<void> {
  await startWorld(service, begin)
  const { resolver, learn } = createResolver(begin.startAt)
  const sent: string[] = []
  for (let start = 0; start < steps.length; start += atOnce) {
    const calls = steps.slice(start, start + atOnce).flatMap((each) => toCall(each, resolver) ?? [])
    const answers = await Promise.all(calls.map((call, index) => send(call, index % 2)))
    for (const [index, answer] of answers.entries()) {
      const { method, path, body } = calls[index] as Call
      sent.push(`${method} ${path} ${JSON.stringify(body)} → ${answer.status}`)
      assert.ok(answer.status < 500, `${sent.join('\n')} ${answer.text}`)
      learn(answer)
    }
    for (const customerId of customerIds) await look(customerId, sent)
  }
  const differences: Difference[] = []
  await auditLedger(service.database.connection, (difference) => differences.push(difference))
  assert.deepEqual(differences, [], sent.join('\n'))
}

const send = ({ method, path, body, headers }: Call, instance: number): Promise<Answer> =>
  service.request(method, path, { body, instance, ...(headers ? { headers } : {}) })

/** At rest both instances show the same, the laws hold, and used is what the listed events add up to. */
async function look(customerId: string, sent: string[]): Promise<void> {
  const { now } = (await service.request('GET', '/v1/test-clock')).body
  const [one, other] = await Promise.all(
    [0, 1].map((instance) => service.request('GET', `/v1/customers/${customerId}`, { instance })),
  )
  assert.deepEqual(one?.body, other?.body, sent.join('\n'))
  if (!one?.body) return
  assertAccessLaws(one.body.featureAccess, now)
  await assertBonusLaws(one.body, service, now)
  const { body } = await service.request('GET', `/v1/usage?customerId=${customerId}&limit=100`)
  for (const [featureKey, { usage }] of Object.entries<{ usage?: Usage }>(one.body.featureAccess)) {
    if (!usage) continue
    const isIn = ({ occurredAt }: Event) =>
      usage.nextReset === undefined || (occurredAt >= usage.lastReset && occurredAt < usage.nextReset)
    const events: Event[] = body.events.filter(
      (event: Event) => event.featureKey === featureKey && isIn(event),
    )
    const total = events.reduce((sum, { amount }) => sum + amount, 0)
    assert.ok(Math.abs(usage.used - Math.max(0, total)) < 1e-4, `${featureKey}: ${usage.used}, not ${total}`)
  }
}

type Usage = { used: number; lastReset: number; nextReset?: number }
type Event = { featureKey: string; amount: number; occurredAt: number }

it(`${numRuns} concurrent histories end in a ledger without differences`, async (t) => {
  t.diagnostic(`TOLLKEEPER_MODEL_SEED=${seed}`)
  const steps = fc.array(step, { minLength: 20, maxLength: 64, size: 'max' })
  // What happened once need not happen again, so there is nothing to shrink.
  await fc.assert(fc.asyncProperty(setting, steps, live), { numRuns, seed, endOnFailure: true })
})
