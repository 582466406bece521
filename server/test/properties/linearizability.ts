// Looks for an order of a history's operations, consistent with real time, in which the reference model gives every answer:
// Wing and Gong's search, with Lowe's memory of where it has been.
import { createReferenceModel, type ReferenceModel } from './reference-model.ts'
import { type Answer, copyState, type Id, type State } from './reference-state.ts'
import { writeStateKey } from './state-key.ts'

/** One thing that takes effect at one instant between its start and its end. */
export type Operation = {
  /** What was asked and answered, as a person reads it. */
  text: string
  startAt: number
  endAt: number
  /** Another part of the same call, which comes first. */
  after?: Operation | undefined
  isClock?: boolean
  /** Told by its answer: it was a read, or refused. */
  isEffectless?: boolean
  ask(model: ReferenceModel): Answer
  /** The ids of what it made. */
  given?: Id[]
  isExplainedBy(answer: Answer): boolean
  /** What is known, from what was seen later, of the state that it left. */
  leaves?(state: State): boolean
  answered: Answer
}

export type Search = {
  /** States in which orders that explain all answers end: one, or all if asked for; none when there is no such order. */
  finals: State[]
  steps: number
  gaveUp: boolean
  /** Where the longest orders that the answers allow end, a few of them. */
  furthest: Position[]
}

/** Where a search is: what has had its turn, in which order the clock moved, and what is so afterwards. */
export type Position = {
  done: bigint
  order: Operation[]
  state: State
  key: string
  /** What the clock said, beginning with what it said before any operation; `by` is who moved it. */
  clocks: { by?: Operation; now: number | null }[]
}

const mostSteps = 60_000
const furthestKept = 3

export function findOrders(initial: State[], operations: Operation[], wanted: 'one' | 'all' = 'one'): Search {
  const visited = new Set<string>()
  const finals = new Map<string, State>()
  const all = (1n << BigInt(operations.length)) - 1n
  const bits = new Map(operations.map((operation, index) => [operation, 1n << BigInt(index)]))
  const search = { steps: 0, gaveUp: false, furthest: [] as Position[] }

  function explore(position: Position): void {
    const clockOrder = position.clocks.map(({ by }) => (by ? operations.indexOf(by) : '')).join()
    const place = `${position.done}|${clockOrder}|${position.key}`
    if (visited.has(place) || (wanted === 'one' && finals.size > 0)) return
    visited.add(place)
    note(position)
    if (position.done === all) finals.set(position.key, position.state)
    const nexts: Position[] = []
    for (const operation of findCandidates(position.order, operations)) {
      for (const now of readableClocks(position.clocks, operation)) {
        if (++search.steps > mostSteps) search.gaveUp = true
        if (search.gaveUp) return
        const next = take(position, operation, now)
        if (next === undefined) continue
        // What has no effect and is explained here may go first in every order that begins like this one.
        if (operation.isEffectless) {
          explore(next)
          return
        }
        nexts.push(next)
      }
    }
    for (const next of nexts) if (wanted === 'all' || finals.size === 0) explore(next)
  }

  function note(position: Position): void {
    const [other] = search.furthest
    if (other && other.order.length > position.order.length) return
    const isFurther = other === undefined || other.order.length < position.order.length
    search.furthest = isFurther ? [position] : [...search.furthest, position].slice(0, furthestKept)
  }

  function take(position: Position, operation: Operation, now: number | null): Position | undefined {
    const state = attempt(position.state, operation, now).next
    if (state === undefined) return undefined
    const moved = operation.isClock ? [{ by: operation, now: state.frozenAt }] : []
    return {
      done: position.done | (bits.get(operation) ?? 0n),
      order: [...position.order, operation],
      state,
      key: writeStateKey(state),
      clocks: [...position.clocks, ...moved],
    }
  }

  for (const state of initial) {
    explore({ done: 0n, order: [], state, key: writeStateKey(state), clocks: [{ now: state.frozenAt }] })
  }
  return { ...search, finals: [...finals.values()] }
}

/** Those that no other must precede: nothing that is still to come had ended before they began. */
export function findCandidates(order: Operation[], operations: Operation[]): Operation[] {
  const done = new Set(order)
  const open = operations.filter((operation) => !done.has(operation))
  const firstEnd = Math.min(...open.map((operation) => operation.endAt))
  // Who was answered first was probably first.
  return open
    .filter(({ startAt, after }) => startAt <= firstEnd && (after === undefined || done.has(after)))
    .sort((a, b) => a.endAt - b.endAt)
}

/** What the model answers at that time; and, if that is what was answered, the state afterwards. */
export function attempt(
  before: State,
  operation: Operation,
  now: number | null,
): { answer: Answer; next?: State } {
  const state = copyState(before)
  state.given = [...(operation.given ?? [])]
  const answer = operation.ask(createReferenceModel(state, () => now ?? Date.now()))
  state.given = []
  state.lastId = 0
  const isExplained = operation.isExplainedBy(answer) && operation.leaves?.(state) !== false
  return isExplained ? { answer, next: state } : { answer }
}

/**
 * A call reads the time once, somewhere between its start and its end, and may take effect later: so it may see every time
 * that the clock showed since the last of its moves that had ended before the call began.
 */
export function readableClocks(clocks: Position['clocks'], { startAt }: Operation): Set<number | null> {
  const first = clocks.findLastIndex(({ by }) => by === undefined || by.endAt < startAt)
  return new Set(
    clocks
      .slice(first)
      .reverse()
      .map(({ now }) => now),
  )
}
