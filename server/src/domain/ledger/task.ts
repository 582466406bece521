// Requests to write a customer's ledger, and what becomes of them: decided one after the other on an evolving state.
import type { Amount } from '../amount.ts'
import type { Caller } from '../caller.ts'
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import type { UsageEvent } from './usage-event.ts'

type Common = { customerUid: string; customerId: string; catalogue: Catalogue; feature: Feature; now: number }

export type RecordTask = Common & {
  kind: 'record'
  keyHash: string
  eventKey: string
  metadata: Record<string, string>
  amount: Amount
  sentOccurredAt: number | undefined
  enforceLimit: boolean
}

/** Sets the current period's total by an adjustment. */
export type SetTask = Common & {
  kind: 'set'
  keyHash: string
  eventKey: string
  metadata: Record<string, string>
  used: Amount
}

/** Absent is left alone; a null key is cleared. */
export type EventPatch = {
  amount: Amount | undefined
  occurredAt: number | undefined
  eventKey: { eventKey: string; keyHash: string } | null | undefined
  metadata: Record<string, string> | undefined
}

type Edit = Common & { caller: Caller; eventId: string; eventNo: number; keyHash: string }

export type AmendTask = Edit & { kind: 'amend'; patch: EventPatch }
export type DeleteTask = Edit & { kind: 'delete' }

export type LedgerTask = RecordTask | SetTask | AmendTask | DeleteTask

export type UsageOutcome = {
  applied: boolean
  used: Amount
  /** Absent when refused. */
  event: UsageEvent | undefined
  reason: 'duplicate_event' | 'limit_reached' | 'no_access' | 'below_zero' | undefined
}

/** What an amendment or deletion made of an event. */
export type EventOutcome = { before: UsageEvent; after: UsageEvent }
