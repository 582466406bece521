// A request to write a customer's ledger, and what becomes of it. Each kind has a file of its own beside this one.
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import type { Principal } from '../principal.ts'
import type { Account } from './account.ts'
import type { BonusRequest, Facts } from './facts.ts'
import type { Bonus, CustomerState, Draw } from './state.ts'
import type { UsageEvent } from './usage-event.ts'

/** Whose ledger, on whose behalf, and the business time at which the request was admitted. */
export type TaskOrigin = { principal: Principal; customerHash: string; customerId: string; now: number }

export type LedgerTask<Outcome> = TaskOrigin & {
  /** Throws when the catalogue has no such feature. */
  getFeature(catalogue: Catalogue): Feature
  /** The outcome of the very request before, whatever became of the feature since; throws where its key was used otherwise. */
  findFirst?(facts: Facts): Outcome | undefined
  /** Of the event key that a new event takes. */
  keyHash?: string
  /** Throws a RequestError, or what it lacks. */
  decide(account: Account): Decision<Outcome>
}

/** The state after the write, the rows that its difference from the state before does not tell, and the answer. */
export type Decision<Outcome> = {
  state: CustomerState
  outcome: Outcome
  inserted?: UsageEvent
  updated?: UsageEvent
  /** A further key that the updated event takes. */
  aliasHash?: string
  /** In the order made; a negative amount is one returned. */
  moves?: readonly Draw[]
  insertedBonus?: Bonus
  updatedBonus?: Bonus
  deletedBonusId?: string
  request?: BonusRequest
  /** Writes counters though nothing else is written. */
  stores?: true
  /** For the log of changes; recording is its own log, the ledger. */
  entry?: LogEntry
}

export type LogEntry = { action: string; subject: string; before?: unknown; after?: unknown }

/** The same task with another form of its outcome. */
export const mapOutcome = <From, To>(
  task: LedgerTask<From>,
  change: (outcome: From) => To,
): LedgerTask<To> => {
  const { findFirst, decide, ...origin } = task
  return {
    ...origin,
    ...(findFirst && {
      findFirst: (facts: Facts) => {
        const outcome = findFirst(facts)
        return outcome === undefined ? undefined : change(outcome)
      },
    }),
    decide: (account) => {
      const decision = decide(account)
      return { ...decision, outcome: change(decision.outcome) }
    },
  }
}
