// Writes to ledgers, gathered: many requests, one transaction. Most are decided on states held in memory, which the one
// statement that writes them confirms; the others lock the customers, load, decide one by one, save and commit.
import type { LedgerTask } from '../../domain/ledger/task.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { type Answer, again, coalesce } from '../../storage/coalesce.ts'
import type { Sql } from '../../storage/database.ts'
import type { CustomerStates } from '../../storage/ledger/held-states.ts'
import { saveConfirmed } from '../../storage/ledger/save-confirmed.ts'
import type { Commit, Lane } from '../../storage/pipelined-connection.ts'
import { decideSafely, instantsOf, type Outcome, toAsk } from './decide-tasks.ts'
import { createBook, openBook } from './ledger-book.ts'
import { guessEntries, isAtHand, toLocks } from './ledger-entries.ts'

export type LedgerWriter = (task: LedgerTask) => Promise<Outcome>

// A customer that another instance changed is loaded, and the next attempt decided on that; at the last the lock comes first.
const attempts = 3

type Turn = { task: LedgerTask; attempt: number }

export function createLedgerWriter(lanes: Lane[], states: CustomerStates): LedgerWriter {
  const idle = [...lanes]
  const queue = coalesce<Turn, Outcome>({
    run: async (turns) => {
      const lane = idle.pop() as Lane
      try {
        return await write(lane, states, turns)
      } finally {
        idle.push(lane)
      }
    },
    maxBatch: 400,
    maxQueue: 10_000,
    inFlight: lanes.length,
    // A second batch must not be decided on states that the first is about to change. Few writes cost less in one.
    apart: { from: 100, keyOf: ({ task }) => task.customerUid },
  })
  return async (task) => {
    const { customerUid, now } = task
    // Not in the lane's turn, so that others go on meanwhile.
    if (!isAtHand(states, customerUid, now)) await states.load(customerUid, now)
    return queue({ task, attempt: 1 })
  }
}

type Outcomes = Map<LedgerTask, Answer<Outcome>>

async function write(lane: Lane, states: CustomerStates, turns: Turn[]): Promise<Answer<Outcome>[]> {
  const tasks = turns.map((turn) => turn.task)
  const outcomes: Outcomes = new Map()
  try {
    const changed = await writeQuickly(lane, states, tasks, outcomes)
    for (const turn of turns) {
      if (turn.attempt++ < attempts && changed.has(turn.task.customerUid)) outcomes.set(turn.task, again)
    }
    const left = tasks.filter((task) => !outcomes.has(task))
    if (left.length > 0) await lane.inTurn((sql, commit) => writeLocked(sql, commit, left, states, outcomes))
  } catch (error) {
    // Those that were written are told so; the failure is that of the others.
    for (const task of tasks) if (!outcomes.has(task)) outcomes.set(task, error as Error)
  }
  return tasks.map((task) => outcomes.get(task) as Answer<Outcome>)
}

/** A book on entries that were guessed asks the database nothing. */
const noSql: Sql = {
  query: () => {
    throw new Error('a guess must not ask the database')
  },
}

/** Adds the outcomes of those it could write; the others that were changed meanwhile are in memory as they stand now. */
async function writeQuickly(
  lane: Lane,
  states: CustomerStates,
  tasks: LedgerTask[],
  outcomes: Outcomes,
): Promise<Set<string>> {
  const { book, decisions, quick } = decideOnTrust(tasks, states)
  if (quick.length === 0) return new Set()
  const now = Math.min(...tasks.map((task) => task.now))
  const uids = quick.map((lock) => lock.customerUid)
  const written = await saveConfirmed(lane, { ...book.listChanges(new Set(uids)), locks: quick })
  if (!written) return new Set()
  book.publish(now, written)
  for (const [task, decision] of decisions) if (written.has(task.customerUid)) outcomes.set(task, decision)
  const changed = uids.filter((uid) => !written.has(uid))
  if (changed.length > 0) states.noteCompany()
  await Promise.all(changed.map((uid) => states.load(uid, now)))
  return new Set(changed)
}

/** Decides on what is in memory; `quick` are the customers for whom confirming their revisions makes that the truth. */
function decideOnTrust(tasks: LedgerTask[], states: CustomerStates) {
  const locks = toLocks(tasks)
  const { entries, events } = guessEntries(locks, states)
  const book = createBook(noSql, { entries, events }, states)
  // An edit needs its event, and a period not met before its sum: neither is at hand here.
  const slow = new Set<string>()
  for (const task of tasks) {
    const isNew = task.kind === 'record' || task.kind === 'set'
    if (!isNew || !book.hasCounters(instantsOf(task, book))) slow.add(task.customerUid)
  }
  const decisions = new Map<LedgerTask, Outcome | Error>()
  for (const task of tasks) {
    if (slow.has(task.customerUid)) continue
    const decision = decideSafely(task, book)
    decisions.set(task, decision)
    if (!meetsKey(decision)) slow.add(task.customerUid)
  }
  const quick = locks.flatMap((lock) => {
    const revision = entries.get(lock.customerUid)?.stored.revision
    if (revision === undefined || slow.has(lock.customerUid) || !book.isPlain(lock.customerUid)) return []
    return { ...lock, revision }
  })
  return { book, decisions, quick }
}

/** What writes no event does not meet the ledger's unique key, so it is not known whether its own key is taken. */
const meetsKey = (decision: Outcome | Error): boolean =>
  'applied' in decision && (decision.applied || decision.reason === 'duplicate_event')

async function writeLocked(
  sql: Sql,
  commit: Commit,
  tasks: LedgerTask[],
  states: CustomerStates,
  outcomes: Outcomes,
): Promise<void> {
  const book = await openBook(sql, tasks.map(toAsk), states)
  await book.ensureCounters(tasks.flatMap((task) => instantsOf(task, book)))
  const decisions = tasks.map((task) => decideSafely(task, book))
  const saved = await book.save()
  await commit([...saved, ...tasks.flatMap((task, index) => log(sql, task, decisions[index]))])
  book.publish(Math.min(...tasks.map((task) => task.now)))
  for (const [index, task] of tasks.entries()) outcomes.set(task, decisions[index] as Outcome | Error)
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
