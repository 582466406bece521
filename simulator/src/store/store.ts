// What the simulator asks of whoever keeps its state: objects, idempotency answers, deliveries and the clock.
import type { Environment } from '../environment.ts'

export type StoredBody = { id: string; object: string; created: number; [field: string]: unknown }

export type ObjectFilter = {
  object: string
  owner?: string
  /** Fields the object must have, as JSON containment. */
  contains?: Record<string, unknown>
  statuses?: string[]
  types?: string[]
  /** Unix seconds; both ends belong to it. */
  createdFrom?: number
  createdTo?: number
  startingAfter?: string
  endingBefore?: string
  limit: number
}

export type StoredAnswer = { fingerprint: string; status: number; body: unknown }

export type Delivery = { deliveryId: number; environment: Environment; eventId: string; attempts: number }

/** One environment's state, as one request sees and changes it. */
export type StoreSession = {
  /** Those that exist, in any order. */
  findObjects(ids: string[]): Promise<StoredBody[]>
  /**
   * Newest first, deleted ones left out; `endingBefore` counts from its object backwards, as the protocol's cursors do.
   * Gives one more than `limit` if there is one.
   */
  listObjects(filter: ObjectFilter): Promise<StoredBody[]>
  /** The objects whose `dueAt`, in Unix seconds, has come: earliest first. */
  findDue(nowSeconds: number, limit: number): Promise<StoredBody[]>
  saveObject(body: StoredBody, place: { owner: string | null; dueAt: number | null }): Promise<void>
  findAnswer(idempotencyKey: string): Promise<StoredAnswer | undefined>
  saveAnswer(idempotencyKey: string, answer: StoredAnswer, answeredAt: number): Promise<void>
  /** One delivery of the event per instant, in Unix ms. */
  enqueueDeliveries(eventId: string, dueAts: number[]): Promise<void>
  /** Undoes what the work changed if it fails, and only that: the session goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

export type Store = {
  /** Runs work that changes an environment: one at a time, and all of it is kept or, when it fails, nothing. */
  write<T>(environment: Environment, work: (session: StoreSession) => Promise<T>): Promise<T>
  read<T>(environment: Environment, work: (session: StoreSession) => Promise<T>): Promise<T>
  /**
   * Takes due deliveries for sending, counting the attempt. The lease is the retry: whoever dies while sending leaves them to
   * be due again, so at least one copy arrives.
   */
  claimDeliveries(nowMs: number, leaseUntil: number, limit: number): Promise<Delivery[]>
  deleteDelivery(deliveryId: number): Promise<void>
  postponeDelivery(deliveryId: number, nextAttemptAt: number): Promise<void>
  /** Forgets answers and events older than Stripe keeps its own: 24 hours and 30 days. */
  prune(nowMs: number): Promise<void>
  /** Business time in Unix ms: what subscriptions follow. */
  readClock(environment: Environment): Promise<number>
}
