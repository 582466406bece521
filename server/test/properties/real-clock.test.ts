// Resets on the real clock: customers whose hours end one after another a few seconds from now, each written to, edited and
// read by all callers on two instances just then. The order of calls cannot be told from a time that nobody stops; what must hold at rest can.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'
import { createKnowledge } from './caller-knowledge.ts'
import { createChance } from './chance.ts'
import { createSender, type Sender } from './concurrent-round.ts'
import { pickResetStep } from './reset-steps.ts'
import { assertCleanAudit, assertLaws, readAtRest } from './rest-checks.ts'
import { callersAtOnce } from './round-plan.ts'

const seed = Number(process.env.TOLLKEEPER_MODEL_SEED ?? Date.now() % 2 ** 31)
const hourMs = 3_600_000
const customers = 60
const leadMs = 2_500
const apartMs = 100
const atOnce = 3
const lengthMs = leadMs + customers * apartMs + 500

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
})
after(() => service.close())

const create = async (path: string, body: object) => {
  const { status, text } = await service.request('POST', path, { body })
  assert.equal(status, 201, text)
}

const resetOf = (startAt: number, n: number) => startAt + leadMs + n * apartMs

async function prepare(startAt: number): Promise<string[]> {
  await create('/v1/features', {
    featureKey: 'calls',
    name: 'Calls',
    type: 'limit',
    usageResetInterval: 'hour',
  })
  const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit: 2 }]
  await create('/v1/custom-products', { productKey: 'free', name: 'Free', isDefault: true, featureAccess })
  const customerIds = Array.from({ length: customers }, (_, n) => `real-${n}`)
  await Promise.all(
    customerIds.map((customerId, n) => {
      const usageStartedAt = resetOf(startAt, n) - hourMs
      return create('/v1/customers', { customerId, usageStartedAt })
    }),
  )
  return customerIds
}

/** One of the callers, until the time is over; what it asks for is drawn from its own chance. */
async function keepCalling(sender: Sender, caller: number, customerIds: string[], startAt: number) {
  const chance = createChance(seed + caller)
  let calls = 0
  while (Date.now() < startAt + lengthMs) {
    const nearest = Math.round((Date.now() - startAt - leadMs) / apartMs) + chance.upTo(atOnce)
    const customerId = customerIds[Math.min(Math.max(0, nearest - 1), customers - 1)] as string
    const step = pickResetStep(chance, customerId)
    const answered = await sender.take(step, customerId, `caller ${caller}`, chance.upTo(2))
    if (answered === undefined) continue
    const { call, answer } = answered
    assert.ok(
      answer.status < 500,
      `${call.method} ${call.path} ${JSON.stringify(call.body)} → ${answer.text}`,
    )
    calls++
  }
  return calls
}

it(`around ${customers} resets on the real clock nothing is lost (seed ${seed})`, async (t) => {
  const startAt = Date.now()
  const customerIds = await prepare(startAt)
  const sender = createSender(service, createKnowledge(startAt))
  const calls = await Promise.all(
    Array.from({ length: callersAtOnce }, (_, n) => keepCalling(sender, n, customerIds, startAt)),
  )
  t.diagnostic(`${calls.reduce((total, each) => total + each, 0)} calls`)
  await assertCleanAudit(service)
  for (const customerId of customerIds) {
    await assertLaws(service, await readAtRest(sender, customerId), Date.now())
  }
})
