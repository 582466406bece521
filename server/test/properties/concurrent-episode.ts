// An episode of the concurrent model: a catalogue and customers, a few rounds of calls at once on two instances, and after
// each round everything that must hold.
import type { TestService } from '../service.ts'
import { type AnsweredCall, findOccurrences, toOperations } from './call-operations.ts'
import { createKnowledge } from './caller-knowledge.ts'
import { type Chance, createChance } from './chance.ts'
import { createSender, runRound, type Sender } from './concurrent-round.ts'
import type { Cast } from './concurrent-steps.ts'
import { type CustomerHistory, count, createHistory, type Tally } from './customer-history.ts'
import { clearAway, makeCast, prepare } from './episode-catalogue.ts'
import { reportCalls } from './history-report.ts'
import type { Operation } from './linearizability.ts'
import { createProduct, openAccount } from './provider-account.ts'
import { assertCleanAudit, assertLaws, readAtRest } from './rest-checks.ts'
import { planRound } from './round-plan.ts'
import { createSubscriptionCalls, type SubscriptionCalls } from './subscription-calls.ts'
import { runSubscriptionRound } from './subscription-round.ts'

type Episode = {
  service: TestService
  sender: Sender
  chance: Chance
  cast: Cast
  histories: Map<string, CustomerHistory>
  tally: Tally
}

const roundsEach = 5

/** In every third, customers also subscribe at the provider. Throws with the history when something does not hold. */
export async function runEpisode(service: TestService, seed: number, tally: Tally): Promise<void> {
  const chance = createChance(seed)
  const hasSubscriptions = seed % 3 === 0
  const cast = makeCast(seed, hasSubscriptions)
  const sender = createSender(service, createKnowledge(0))
  const histories = new Map(cast.customerIds.map((customerId) => [customerId, createHistory(customerId)]))
  const episode = { service, sender, chance, cast, histories, tally }
  const account = openAccount(service)
  try {
    const products = await Promise.all(cast.providerProductKeys.map((key) => createProduct(account, key)))
    let answered = await prepare(sender, chance, cast, products)
    const subscriptions = hasSubscriptions ? createSubscriptionCalls(service, account, products) : undefined
    for (let round = 0; round < roundsEach; round++) {
      answered.push(...(await runOneRound(episode, subscriptions)))
      tally.calls += answered.length
      for (const { kind, answer } of answered) count(tally, kind, answer.status)
      tally.rounds++
      await checkRound(episode, answered)
      answered = []
    }
  } finally {
    await clearAway(service, cast)
  }
}

/** With subscriptions about, the clock moves in steps that take each of them at most one step further. */
function runOneRound(
  episode: Episode,
  subscriptions: SubscriptionCalls | undefined,
): Promise<AnsweredCall[]> {
  const { sender, chance, cast } = episode
  const callers = planRound(chance, cast, { mayMoveClock: subscriptions === undefined })
  if (subscriptions === undefined) return runRound(sender, chance, callers)
  return runSubscriptionRound({ ...episode, subscriptions, callers })
}

async function checkRound(episode: Episode, answered: AnsweredCall[]): Promise<void> {
  const { service, sender, cast, histories, tally } = episode
  const atRest: AnsweredCall[] = []
  try {
    assertNoFailure(answered)
    const { now } = (await service.request('GET', '/v1/test-clock')).body
    for (const productKey of cast.productKeys) {
      const read = await sender.take({ do: 'read product', productKey }, '', 'at rest', 0)
      if (read) atRest.push(read)
    }
    for (const customerId of cast.customerIds) {
      const reads = await readAtRest(sender, customerId)
      await assertLaws(service, reads, now)
      atRest.push(...reads)
    }
    await assertCleanAudit(service)
  } catch (error) {
    const message = (error as Error).message
    throw new Error(reportCalls(message, toHistories(cast, [...answered, ...atRest])), { cause: error })
  }
  for (const [customerId, operations] of toHistories(cast, [...answered, ...atRest])) {
    histories.get(customerId)?.explain(operations, tally)
  }
}

function toHistories({ customerIds }: Cast, answered: AnsweredCall[]): Map<string, Operation[]> {
  const occurrences = findOccurrences(answered)
  const toOwn = (customerId: string) =>
    answered.flatMap((each) => toOperations(each, customerId, occurrences))
  return new Map(customerIds.map((customerId) => [customerId, toOwn(customerId)]))
}

function assertNoFailure(answered: AnsweredCall[]): void {
  const failed = answered.find(({ answer }) => answer.status >= 500)
  if (failed === undefined) return
  const { call, answer } = failed
  const sent = `${call.method} ${call.path} ${JSON.stringify(call.body) ?? ''}`
  throw new Error(`${sent} of ${call.customerId ?? 'no one customer'} → ${answer.status} ${answer.text}`)
}
