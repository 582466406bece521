// What is known of one customer over the rounds of an episode: the operations so far, and a state that explains them.
import { describeHistory, reportHistory } from './history-report.ts'
import { findOrders, type Operation } from './linearizability.ts'
import { createState, type State } from './reference-state.ts'

export type Tally = {
  calls: number
  rounds: number
  searches: number
  steps: number
  slowestMs: number
  /** Searches that ended without knowing. */
  gaveUp: number
  /** Of each kind of call how many took effect, and how many there were. */
  kinds: Record<string, [took: number, all: number]>
}

export const newTally = (): Tally => ({
  calls: 0,
  rounds: 0,
  searches: 0,
  steps: 0,
  slowestMs: 0,
  gaveUp: 0,
  kinds: {},
})

export function count(tally: Tally, kind: string, status: number): void {
  const [took, all] = tally.kinds[kind] ?? [0, 0]
  tally.kinds[kind] = [took + Number(status < 300), all + 1]
}

/** Whether there is an order was not found out: the tally counts it, and the episode ends. */
export class GaveUp extends Error {}

export type CustomerHistory = { explain(operations: Operation[], tally: Tally): void }

export function createHistory(customerId: string): CustomerHistory {
  const rounds: Operation[][] = []
  let state = createState()

  /** Throws when no order explains the answers of the round, whatever order those before it had. */
  function explain(operations: Operation[], tally: Tally): void {
    rounds.push(operations)
    const startedAt = performance.now()
    const found = search([state], operations, 'one')
    tally.searches++
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedAt)
    if (found !== undefined && found.length > 0) {
      state = found[0] as State
      return
    }
    // The state went on from was one of several that explain the rounds before.
    let initial = [createState()]
    let finals: State[] | undefined = initial
    for (const each of rounds) {
      initial = finals
      finals = search(initial, each, 'all')
      if (finals === undefined || finals.length === 0) break
    }
    if (finals === undefined) giveUp(operations, tally)
    else if (finals.length === 0) throw new Error(reportHistory(customerId, initial, operations))
    else state = finals[0] as State

    function search(from: State[], each: Operation[], wanted: 'one' | 'all'): State[] | undefined {
      const result = findOrders(from, each, wanted)
      tally.steps += result.steps
      return result.gaveUp && result.finals.length === 0 ? undefined : result.finals
    }
  }

  function giveUp(operations: Operation[], tally: Tally): never {
    tally.gaveUp++
    console.log(`gave up on ${customerId}: no order found yet for ${operations.length} operations`)
    // Long, and seldom wanted: how far the search had come.
    if (process.env.TOLLKEEPER_MODEL_VERBOSE) console.log(describeHistory([state], operations).join('\n'))
    throw new GaveUp()
  }

  return { explain }
}
