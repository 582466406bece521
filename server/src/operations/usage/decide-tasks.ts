// From tasks to decisions: what a task needs at hand, and deciding it on a book.

import { missing, RequestError } from '../../domain/errors.ts'
import {
  type Account,
  decideAmend,
  decideDelete,
  decideRecord,
  decideSet,
} from '../../domain/ledger/decide-usage.ts'
import type { EventOutcome, LedgerTask, UsageOutcome } from '../../domain/ledger/task.ts'
import { clockSkewMs } from '../../domain/ledger/usage-event.ts'
import type { EventPlace } from '../../storage/ledger/event-id.ts'
import type { LedgerBook } from './ledger-book.ts'
import type { BookAsk, Subject } from './ledger-entries.ts'

export type Outcome = UsageOutcome | EventOutcome

const ownPlace = (task: LedgerTask): EventPlace => ({
  customerUid: task.customerUid,
  featureNo: task.feature.featureNo,
  keyHash: task.keyHash,
})

function newPlace(task: LedgerTask): EventPlace | undefined {
  if (task.kind !== 'amend' || !task.patch.eventKey) return undefined
  return { ...ownPlace(task), keyHash: task.patch.eventKey.keyHash }
}

export function toAsk(task: LedgerTask): BookAsk {
  const other = newPlace(task)
  return { ...task, keys: other ? [ownPlace(task), other] : [ownPlace(task)] }
}

/** The instants whose periods the decision will ask about: now, and wherever an event lies or will lie. */
export function instantsOf(task: LedgerTask, book: LedgerBook): (Subject & { at: number })[] {
  const sent =
    task.kind === 'record' ? task.sentOccurredAt : task.kind === 'amend' ? task.patch.occurredAt : undefined
  const instants = new Set([task.now])
  const taken = book.findEvent(ownPlace(task))
  if (taken) instants.add(taken.occurredAt)
  if (sent !== undefined && sent <= task.now + clockSkewMs) instants.add(Math.min(sent, task.now))
  return [...instants].map((at) => ({ ...task, at }))
}

/** What one request cannot have is its own failure; the others go on. */
export function decideSafely(task: LedgerTask, book: LedgerBook): Outcome | Error {
  try {
    return decide(task, book)
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
}

function decide(task: LedgerTask, book: LedgerBook): Outcome {
  const account = book.findAccount(task)
  if (!account) throw missing('customer', task.customerId)
  const eventNo = book.nextEventNo(task.customerUid)
  const decision = decideKind(task, account, book, eventNo)
  const other = newPlace(task)
  const isNewKey = other && !book.findEvent(other)
  book.apply(task, decision, eventNo, isNewKey ? other.keyHash : undefined)
  return decision.outcome
}

function decideKind(task: LedgerTask, account: Account, book: LedgerBook, eventNo: number) {
  const taken = book.findEvent(ownPlace(task))
  switch (task.kind) {
    case 'record':
      return decideRecord(task, account, taken, eventNo)
    case 'set':
      return decideSet(task, account, taken, eventNo)
    case 'amend': {
      const other = newPlace(task)
      return decideAmend(task, account, taken, other && book.findEvent(other))
    }
    case 'delete':
      return decideDelete(task, account, taken)
  }
}
