// A history that no order explains, made as small as may be and told to a person: the calls with their times and answers, how
// far an order can be found, and what the model would have allowed next.
import { isDeepStrictEqual } from 'node:util'
import { toComparable } from './comparable-answer.ts'
import {
  attempt,
  findCandidates,
  findOrders,
  type Operation,
  type Position,
  readableClocks,
} from './linearizability.ts'
import type { State } from './reference-state.ts'

const mostShrinkMs = 5_000
const longest = 600

export function reportHistory(customerId: string, initial: State[], operations: Operation[]): string {
  const kept = shrink(initial, operations)
  return [
    `No order of the calls explains the answers of ${customerId}.`,
    `The calls, as few as still show it (${kept.length} of ${operations.length}):`,
    ...describeHistory(initial, kept),
  ].join('\n')
}

/** The calls in the order they began, and where the longest orders of them come to an end. */
export function describeHistory(initial: State[], kept: Operation[]): string[] {
  const { furthest } = findOrders(initial, kept)
  const startAt = Math.min(...kept.map((operation) => operation.startAt))
  const time = (at: number) => (at - startAt).toFixed(1)
  const inOrder = kept.toSorted((a, b) => a.startAt - b.startAt)
  const nameOf = (operation: Operation) => `#${inOrder.indexOf(operation) + 1}`
  const describeEnd = (position: Position) => [
    `The answers allow the order ${position.order.map(nameOf).join(' ')}; what the model would then have answered:`,
    ...findCandidates(position.order, kept).flatMap((operation) =>
      [...readableClocks(position.clocks, operation)].map(
        (now) => `  ${nameOf(operation)} at ${now}: ${describeMiss(position.state, operation, now)}`,
      ),
    ),
  ]
  return [
    ...inOrder.map(
      (each) => `  ${nameOf(each)} ${time(each.startAt)}–${time(each.endAt)} ms ${shorten(each.text)}`,
    ),
    ...furthest.flatMap(describeEnd),
  ]
}

/** What is wrong, and the calls of the customers that it names. */
export function reportCalls(message: string, histories: ReadonlyMap<string, Operation[]>): string {
  const named = [...histories].filter(([customerId]) => message.includes(customerId))
  const lines = named.flatMap(([customerId, operations]) => {
    const startAt = Math.min(...operations.map((operation) => operation.startAt))
    const time = (at: number) => (at - startAt).toFixed(1)
    const inOrder = operations.toSorted((a, b) => a.startAt - b.startAt)
    return [
      `The last calls of ${customerId}:`,
      ...inOrder.map((each) => `  ${time(each.startAt)}–${time(each.endAt)} ms ${shorten(each.text)}`),
    ]
  })
  return [message, ...lines].join('\n')
}

/** Leaves out what took no effect, as long as no order explains the rest: then none explains the whole either. */
function shrink(initial: State[], operations: Operation[]): Operation[] {
  const deadlineAt = Date.now() + mostShrinkMs
  const isStillShown = (rest: Operation[]) => {
    const { finals, gaveUp } = findOrders(initial, rest)
    return finals.length === 0 && !gaveUp
  }
  // Mostly the few at which the longest orders end are enough.
  const { furthest } = findOrders(initial, operations)
  const stuck = new Set(furthest.flatMap(({ order }) => findCandidates(order, operations)))
  const few = leaveOut(operations, (each) => each.isEffectless === true && !stuck.has(each))
  let kept = isStillShown(few) ? few : operations
  for (const operation of kept.toReversed().filter((each) => each.isEffectless)) {
    if (Date.now() > deadlineAt) break
    const rest = leaveOut(kept, (each) => each === operation)
    if (isStillShown(rest)) kept = rest
  }
  return kept
}

/** Parts of one call stay in order when one between them goes. */
function leaveOut(operations: Operation[], isLeftOut: (operation: Operation) => boolean): Operation[] {
  const copies = new Map<Operation, Operation>()
  for (const operation of operations) {
    if (isLeftOut(operation)) continue
    let { after } = operation
    while (after !== undefined && isLeftOut(after)) after = after.after
    const before = after && (copies.get(after) ?? after)
    copies.set(operation, before === operation.after ? operation : { ...operation, after: before })
  }
  return [...copies.values()]
}

function describeMiss(state: State, operation: Operation, now: number | null): string {
  const { answer } = attempt(state, operation, now)
  const expected = toComparable({ status: answer.status, code: answer.code, body: answer.body })
  const { status, body } = operation.answered
  const differences = findDifferences(expected, toComparable({ status, body }), '')
  if (differences.length === 0) return 'the same, but with another time or code'
  return shorten(differences.slice(0, 12).join('; '))
}

function findDifferences(expected: unknown, actual: unknown, path: string): string[] {
  if (isDeepStrictEqual(expected, actual)) return []
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return [...keys].flatMap((key) => findDifferences(expected[key], actual[key], `${path}.${key}`))
  }
  return [`${path.slice(1)} ${JSON.stringify(expected)}, not ${JSON.stringify(actual)}`]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const shorten = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)
