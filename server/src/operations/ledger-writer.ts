// Writes to ledgers, gathered: many requests, one transaction. Lock the customers, load, decide one by one, save, commit.
import { type Account, decideAmend, decideDelete, decideRecord, decideSet } from '../domain/decide-usage.ts'
import { missing, RequestError } from '../domain/errors.ts'
import type { EventOutcome, LedgerTask, UsageOutcome } from '../domain/ledger-task.ts'
import { clockSkewMs } from '../domain/usage.ts'
import { insertAuditEntry } from '../storage/audit.ts'
import { coalesce } from '../storage/coalesce.ts'
import type { CustomerStates } from '../storage/customer-states.ts'
import type { Sql } from '../storage/database.ts'
import type { EventPlace } from '../storage/event-id.ts'
import type { Commit, Lane } from '../storage/lane.ts'
import { type BookAsk, type LedgerBook, openBook, type Subject } from './ledger-book.ts'

type Outcome = UsageOutcome | EventOutcome

export type LedgerWriter = (task: LedgerTask) => Promise<Outcome>

export function createLedgerWriter(lanes: Lane[], states: CustomerStates): LedgerWriter {
  const queues = lanes.map((lane) =>
    coalesce<LedgerTask, Outcome>({
      run: (tasks) => lane.inTurn((sql, commit) => write(sql, commit, tasks, states)),
      maxBatch: 200,
      maxQueue: 10_000,
      inFlight: 2,
    }),
  )
  // A customer always takes the same lane: its requests keep their order, and lanes do not wait for one another.
  return (task) => {
    const queue = queues[Number.parseInt(task.customerUid.slice(0, 4), 16) % queues.length] as LedgerWriter
    return queue(task)
  }
}

type Outcomes = (Outcome | Error)[]

async function write(
  sql: Sql,
  commit: Commit,
  tasks: LedgerTask[],
  states: CustomerStates,
): Promise<Outcomes> {
  const book = await openBook(sql, tasks.map(toAsk), states)
  await book.ensureCounters(tasks.flatMap((task) => instantsOf(task, book)))
  const outcomes = tasks.map((task) => decideSafely(task, book))
  const saved = await book.save()
  await commit([...saved, ...tasks.flatMap((task, index) => log(sql, task, outcomes[index]))])
  book.publish(Math.min(...tasks.map((task) => task.now)))
  return outcomes
}

const ownPlace = (task: LedgerTask): EventPlace => ({
  customerUid: task.customerUid,
  featureNo: task.feature.featureNo,
  keyHash: task.keyHash,
})

function newPlace(task: LedgerTask): EventPlace | undefined {
  if (task.kind !== 'amend' || !task.patch.eventKey) return undefined
  return { ...ownPlace(task), keyHash: task.patch.eventKey.keyHash }
}

function toAsk(task: LedgerTask): BookAsk {
  const other = newPlace(task)
  return { ...task, keys: other ? [ownPlace(task), other] : [ownPlace(task)] }
}

/** The instants whose periods the decision will ask about: now, and wherever an event lies or will lie. */
function instantsOf(task: LedgerTask, book: LedgerBook): (Subject & { at: number })[] {
  const sent =
    task.kind === 'record' ? task.sentOccurredAt : task.kind === 'amend' ? task.patch.occurredAt : undefined
  const instants = new Set([task.now])
  const taken = book.findEvent(ownPlace(task))
  if (taken) instants.add(taken.occurredAt)
  if (sent !== undefined && sent <= task.now + clockSkewMs) instants.add(Math.min(sent, task.now))
  return [...instants].map((at) => ({ ...task, at }))
}

/** What one request cannot have is its own failure; the others go on. */
function decideSafely(task: LedgerTask, book: LedgerBook): Outcome | Error {
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

/** Recording is its own log, the ledger; an edit leaves its trace in the log of changes. */
function log(sql: Sql, task: LedgerTask, outcome: Outcome | Error | undefined): Promise<unknown>[] {
  if (task.kind === 'record' || task.kind === 'set' || !outcome || !('before' in outcome)) return []
  const { before, after } = outcome
  return [
    insertAuditEntry(sql, task.caller, {
      action: `usage.${task.kind}`,
      subject: task.eventId,
      before,
      after,
    }),
  ]
}
