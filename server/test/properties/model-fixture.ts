// The service and the reference model side by side: every step is taken by both, and what they answer must be the same.
import assert from 'node:assert/strict'
import type { Answer, TestService } from '../service.ts'
import { statisticsTables } from '../statistics/statistics-tables.ts'
import { toComparable } from './comparable-answer.ts'
import { type Call, type Resolver, toCall } from './model-call.ts'
import { toEntries } from './model-catalogue-call.ts'
import { assertAccessLaws, assertBonusLaws, assertExplained } from './model-laws.ts'
import {
  type Beginning,
  customerIds,
  productKeys,
  type Step,
  type Subject,
  trackedKeys,
} from './model-steps.ts'
import { createReferenceModel } from './reference-model.ts'
import type { Id } from './reference-state.ts'

// One service serves all histories: what a history left is taken away beside it, as no request could. A turn of the statistics that
// is under way ends before it, or is void.
const resetStatement = `
  update statistics_progress set turn_no = turn_no + 1;
  delete from usage_event; delete from usage_counter; delete from bonus; delete from bonus_draw;
  delete from bonus_request; delete from feature_purge; delete from customer_product; delete from customer;
  delete from feature_access_entry; delete from product_version; delete from product; delete from assigned_product; delete from feature;
  ${statisticsTables
    .filter((table) => table !== 'statistics_progress')
    .map((table) => `delete from ${table};`)
    .join(' ')}
  update environment set catalogue_revision = catalogue_revision + 1`

export async function startFixture(service: TestService, beginning: Beginning) {
  await service.query(resetStatement)
  const fixture = createFixture(service)
  const make = async (method: string, path: string, body: object, ask: Call['ask']) => {
    await fixture.ask({ method, path, body, ask, customerId: 'none' })
  }
  await make('PUT', '/v1/test-clock', { now: beginning.startAt }, (model) =>
    model.setClock({ now: beginning.startAt }),
  )
  for (const [index, featureKey] of trackedKeys.entries()) {
    const body = { featureKey, name: featureKey, type: 'limit' as const, ...beginning.features[index] }
    await make('POST', '/v1/features', body, (model) => model.createFeature(body))
  }
  for (const [index, productKey] of productKeys.entries()) {
    const { calls = 'none', seats = 'none' } = beginning.products[index] ?? {}
    const isDefault = productKey === 'free' && beginning.freeIsDefault
    const body = { productKey, name: productKey, isDefault, featureAccess: toEntries({ calls, seats }) }
    await make('POST', '/v1/custom-products', body, (model) => model.createCustomProduct(body))
  }
  for (const [index, customerId] of customerIds.entries()) {
    const body = { customerId, customProductKeys: beginning.assigned[index] ?? [] }
    await make('POST', '/v1/customers', body, (model) => model.createCustomer(body))
  }
  return fixture
}

function createFixture(service: TestService) {
  const model = createReferenceModel()
  const ids = new Map<Id, string>()
  const known: { event: Id[]; bonus: Id[] } = { event: [], bonus: [] }
  const subjects = new Map<Id, Subject>()
  const transcript: string[] = []
  let now = 0
  let taken = 0

  const resolver: Resolver = {
    instant: ({ customerId, featureKey }, { from, plus }) => {
      if (from === 'now') return now + plus
      const map = model.featureAccess(customerId).body as AccessMap | undefined
      return (map?.[featureKey]?.usage?.[from] ?? now) + plus
    },
    event: (n) => find(known.event, n),
    bonus: (n) => {
      const found = find(known.bonus, n)
      if (!found) return undefined
      const body = model.getBonus(found.modelId).body as { bonus: { expiresAt?: number } } | undefined
      return { ...found, expiresAt: body?.bonus.expiresAt }
    },
    subjectOf: (modelId) => subjects.get(modelId),
  }

  const find = (list: Id[], n: number) => {
    const modelId = list[n % Math.max(1, list.length)]
    return modelId === undefined ? undefined : { modelId, id: ids.get(modelId) as string }
  }

  /** Sends the call to both and holds the answers against one another. */
  async function ask(call: Call): Promise<Answer> {
    const answer = await service.request(call.method, call.path, {
      body: call.body,
      ...(call.headers ? { headers: call.headers } : {}),
    })
    transcript.push(describe(call, answer))
    const expected = call.ask(model)
    assert.equal(answer.status, expected.status, `the model answers ${JSON.stringify(expected)}`)
    if (expected.code !== undefined) assert.equal(answer.headers['x-error-code'], expected.code)
    if (expected.status < 400) {
      bind(expected.body, answer.body, call)
      assert.deepEqual(toComparable(answer.body), toComparable(translate(expected.body, ids)))
      if (call.path === '/v1/test-clock') now = answer.body.now
    }
    return answer
  }

  /** Learns which id of the service belongs to an id of the model, the first time both are seen. */
  function bind(expected: unknown, actual: unknown, call: Call): void {
    if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null)
      return
    for (const [key, value] of Object.entries(expected)) {
      const other: unknown = (actual as Record<string, unknown>)[key]
      if (typeof value === 'number' && (key === 'eventId' || key === 'bonusId') && !ids.has(value)) {
        assert.equal(typeof other, 'string', `${key} is missing`)
        assert.ok(![...ids.values()].includes(other as string), `${key} was given before`)
        ids.set(value, other as string)
        known[key === 'eventId' ? 'event' : 'bonus'].push(value)
        const { customerId, featureKey } = (call.body ?? {}) as Partial<Subject>
        if (customerId && featureKey) subjects.set(value, { customerId, featureKey })
      } else bind(value, other, call)
    }
  }

  async function look(customerId: string): Promise<void> {
    const answer = await ask({
      method: 'GET',
      path: `/v1/feature-access?customerId=${customerId}`,
      ask: (each) => each.featureAccess(customerId),
    })
    transcript.pop()
    if (answer.status === 200) assertAccessLaws(answer.body, now)
  }

  async function lookCloser(customerId: string): Promise<void> {
    for (const doing of ['list bonuses', 'list usage', 'read customer'] as const) {
      const answer = await ask(toCall({ do: doing, customerId } as Step, resolver) as Call)
      transcript.pop()
      if (doing !== 'read customer' || !answer.body) continue
      await assertBonusLaws(answer.body, service, now)
      await assertExplained(customerId, answer.body.featureAccess, service)
    }
  }

  async function take(step: Step): Promise<void> {
    const call = toCall(step, resolver)
    if (!call) return
    const answer = await ask(call)
    if (answer.status < 300 && isRepeatable(call) && taken++ % 3 === 0) await repeat(call, answer)
    if (call.method === 'GET') return
    const touched = call.customerId === undefined ? customerIds : [call.customerId]
    for (const customerId of touched) await look(customerId)
  }

  /** What took effect changes nothing when it is sent again; the map that is looked at next shows it. */
  async function repeat(call: Call, first: Answer): Promise<void> {
    const again = await ask(call)
    transcript.pop()
    if (first.body.applied) assert.equal(again.body.applied, false, 'a repeated request was applied again')
    if (call.path === '/v1/bonuses') assert.deepEqual(again.body, first.body)
  }

  return { ask, take, lookCloser, transcript }
}

type AccessMap = Record<string, { usage?: { lastReset: number; nextReset?: number } }>

function isRepeatable({ method, path, headers }: Call): boolean {
  if (method !== 'POST') return false
  return path === '/v1/usage' || path === '/v1/usage/set' || headers?.['idempotency-key'] !== undefined
}

function describe({ method, path, body, headers }: Call, answer: Answer): string {
  const key = headers?.['idempotency-key']
  const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`
  return `${method} ${path}${key === undefined ? '' : ` (Idempotency-Key: ${key})`}${sent} → ${answer.status} ${answer.text.slice(0, 250)}`
}

/** The model's numbers for things, as the service names them. */
function translate(value: unknown, ids: Map<Id, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => translate(each, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const isId = key === 'id' || key === 'eventId' || key === 'bonusId'
      return [key, isId && typeof each === 'number' ? ids.get(each) : translate(each, ids)]
    }),
  )
}
