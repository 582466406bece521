// What a decision may need beside a customer's state, looked up under the customer's lock.
import type { Period } from '../access/period.ts'
import type { Amount } from '../amount.ts'
import type { Bonus, Counter } from './state.ts'
import type { UsageEvent } from './usage-event.ts'

/** A bonus that was asked for with a key of the caller's: the first answer is given again. */
export type BonusRequest = {
  keyHash: string
  bodyHash: string
  bonus: Bonus
  counterRemaining: Amount | undefined
}

/** A name that was looked up and leads nowhere has the value undefined. */
export type Facts = {
  /** By `keyName`: the event that took the key, under its first key or a further one. */
  events: ReadonlyMap<string, UsageEvent | undefined>
  bonuses: ReadonlyMap<string, Bonus | undefined>
  requests: ReadonlyMap<string, BonusRequest | undefined>
  /** Counters of the state that are not stored: whoever writes the customer stores them. */
  computed: ReadonlySet<Counter>
  /** By `instantName`: instants before the state's own time whose stored counters were added to the state. */
  instants: ReadonlySet<string>
}

export const noFacts: Facts = {
  events: new Map(),
  bonuses: new Map(),
  requests: new Map(),
  computed: new Set(),
  instants: new Set(),
}

export type Need =
  | { kind: 'event'; featureNo: number; keyHash: string }
  | { kind: 'counter'; featureNo: number; at: number; period: Period }
  | { kind: 'bonus'; bonusId: string }
  | { kind: 'request'; keyHash: string }

/** Thrown by a decision that cannot be made on what is at hand. */
export class Lack extends Error {
  readonly needs: readonly Need[]

  constructor(needs: readonly Need[]) {
    super('a decision lacks what it needs')
    this.needs = needs
  }
}

export const keyName = (featureNo: number, keyHash: string): string => `${featureNo}/${keyHash}`

export const instantName = (featureNo: number, at: number): string => `${featureNo}/${at}`

/** An event found by a further key is the one that its first key finds: that one follows the changes of a batch. */
export function findEvent(
  { events }: Pick<Facts, 'events'>,
  featureNo: number,
  keyHash: string,
): UsageEvent | undefined {
  const event = events.get(keyName(featureNo, keyHash))
  return event && (events.get(keyName(featureNo, event.keyHash)) ?? event)
}
