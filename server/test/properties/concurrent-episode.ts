// An episode of the concurrent model: a catalogue and customers, a few rounds of calls at once on two instances, and after
// each round everything that must hold.
import assert from 'node:assert/strict'
import type { TestService } from '../service.ts'
import { type AnsweredCall, findOccurrences, toOperations } from './call-operations.ts'
import { createKnowledge } from './caller-knowledge.ts'
import { type Chance, createChance } from './chance.ts'
import { createSender, runRound, type Sender } from './concurrent-round.ts'
import { type Cast, pickAccess } from './concurrent-steps.ts'
import { type CustomerHistory, createHistory, type Tally } from './customer-history.ts'
import { type Call, toEntries } from './model-call.ts'
import { anchors, featureKeys, intervals } from './model-steps.ts'
import { assertCleanAudit, assertLaws, readAtRest } from './rest-checks.ts'
import { planRound } from './round-plan.ts'

const customersEach = 6
const roundsEach = 5

/** Throws with the history when something does not hold. */
export async function runEpisode(service: TestService, seed: number, tally: Tally): Promise<void> {
  const chance = createChance(seed)
  const cast = makeCast(seed)
  const knowledge = createKnowledge(0)
  const sender = createSender(service, knowledge)
  const histories = new Map(cast.customerIds.map((customerId) => [customerId, createHistory(customerId)]))
  try {
    let answered = await prepare(sender, chance, cast)
    for (let round = 0; round < roundsEach; round++) {
      answered = [
        ...answered,
        ...(await runRound(sender, chance, planRound(chance, cast, { mayMoveClock: true }))),
      ]
      tally.calls += answered.length
      tally.rounds++
      await checkRound(service, sender, cast, histories, answered, tally)
      answered = []
    }
  } finally {
    await clearAway(service, cast)
  }
}

let episodes = 0

function makeCast(seed: number): Cast {
  const own = `${seed}-${++episodes}`
  const customerIds = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay'].slice(0, customersEach)
  const customProductKeys = ['basic', 'pro', 'free'].map((key) => `${key}-${own}`)
  return {
    customerIds: customerIds.map((name) => `${name}-${own}`),
    productKeys: customProductKeys,
    customProductKeys,
  }
}

async function prepare(sender: Sender, chance: Chance, cast: Cast): Promise<AnsweredCall[]> {
  const now = chance.pick([Date.UTC(2026, 0, 31, 10), Date.UTC(2024, 1, 29), Date.UTC(2026, 2, 30, 12, 30)])
  const calls: Call[] = [
    { method: 'PUT', path: '/v1/test-clock', body: { now }, ask: (model) => model.setClock({ now }) },
  ]
  for (const featureKey of featureKeys) {
    const isTracked = featureKey === 'calls' || featureKey === 'seats'
    const tracking = isTracked
      ? { usageResetInterval: chance.pick(intervals), usageResetAnchor: chance.pick(anchors) }
      : featureKey === 'cap'
        ? { tracksUsage: false }
        : {}
    const type = featureKey === 'flag' ? ('boolean' as const) : ('limit' as const)
    const body = { featureKey, name: featureKey, type, ...tracking }
    calls.push({ method: 'POST', path: '/v1/features', body, ask: (model) => model.createFeature(body) })
  }
  for (const [index, productKey] of cast.customProductKeys.entries()) {
    const featureAccess = toEntries({ ...pickAccess(chance), calls: 3 + chance.upTo(6) })
    const body = { productKey, name: productKey, isDefault: index === 2, featureAccess }
    const ask: Call['ask'] = (model) => model.createCustomProduct(body)
    calls.push({ method: 'POST', path: '/v1/custom-products', body, ask })
  }
  for (const customerId of cast.customerIds) {
    const customProductKeys = chance.is(0.7) ? [chance.pick(cast.customProductKeys)] : []
    const body = { customerId, customProductKeys, usageStartedAt: now - chance.upTo(40) * 3_600_000 }
    const ask: Call['ask'] = (model) => model.createCustomer(body)
    calls.push({ method: 'POST', path: '/v1/customers', body, customerId, ask })
  }
  const answered: AnsweredCall[] = []
  for (const call of calls) answered.push(await sender.send(call, 'prepare', 0))
  for (const { answer } of answered) assert.ok(answer.status < 300, answer.text)
  return answered
}

async function checkRound(
  service: TestService,
  sender: Sender,
  cast: Cast,
  histories: Map<string, CustomerHistory>,
  answered: AnsweredCall[],
  tally: Tally,
): Promise<void> {
  const broken = answered.find(({ answer }) => answer.status >= 500)
  if (broken) {
    const { call, answer } = broken
    throw new Error(
      `${call.method} ${call.path} ${JSON.stringify(call.body)} → ${answer.status} ${answer.text}`,
    )
  }
  const { now } = (await service.request('GET', '/v1/test-clock')).body
  const atRest: AnsweredCall[] = []
  for (const productKey of cast.productKeys) {
    const read = await sender.take({ do: 'read product', productKey }, '', 'at rest', 0)
    if (read) atRest.push(read)
  }
  for (const customerId of cast.customerIds) {
    const reads = await readAtRest(sender, customerId)
    await assertLaws(service, reads, now)
    atRest.push(...reads)
  }
  for (const customerId of cast.customerIds) {
    const all = [...answered, ...atRest]
    const occurrences = findOccurrences(all)
    const operations = all.flatMap((each) => toOperations(each, customerId, occurrences))
    histories.get(customerId)?.explain(operations, tally)
  }
  await assertCleanAudit(service)
}

async function clearAway(service: TestService, cast: Cast): Promise<void> {
  for (const customerId of cast.customerIds) await service.request('DELETE', `/v1/customers/${customerId}`)
  for (const featureKey of featureKeys) await service.request('DELETE', `/v1/features/${featureKey}`)
  for (const productKey of cast.productKeys) {
    await service.request('POST', `/v1/products/${productKey}/archive`, { body: { archived: true } })
  }
}
