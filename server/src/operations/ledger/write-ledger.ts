// Writes to ledgers, gathered: many customers, one statement. Decisions are made on states held in memory, and the statement
// that writes them confirms what they were made on. What memory cannot decide is written under the customer's lock.
import type { Environment } from '../../domain/environment.ts'
import { missing } from '../../domain/errors.ts'
import type { Moment } from '../../domain/ledger/account.ts'
import { isPlain } from '../../domain/ledger/change.ts'
import { type Decided, decideBatch } from '../../domain/ledger/decide-batch.ts'
import { noFacts } from '../../domain/ledger/facts.ts'
import { type CustomerState, pruneState } from '../../domain/ledger/state.ts'
import { type LedgerTask, mapOutcome } from '../../domain/ledger/task.ts'
import type { Catalogues } from '../../storage/catalogue/catalogues.ts'
import { type Database, isDeadlock, sqlStateOf } from '../../storage/database.ts'
import type { HeldStates } from '../../storage/ledger/held-states.ts'
import { findUnlocked } from '../../storage/ledger/lock-customer.ts'
import { saveChanges } from '../../storage/ledger/save-changes.ts'
import type { PipelinedConnection } from '../../storage/pipelined-connection.ts'
import type { Turns } from '../../storage/turns.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import { type Answer, createLines, type Line } from './lines.ts'
import { createLockedWriter } from './write-locked.ts'

export type LedgerWriter = <Outcome>(task: LedgerTask<Outcome>) => Promise<Outcome>

type Options = {
  database: Database
  catalogues: Catalogues
  states: HeldStates
  connections: readonly PipelinedConnection[]
  customerTurns: Turns
  /** Told when what is held of a customer turns out to be wrong: what is stored is asked instead. */
  onFault(error: unknown): void
  telemetry?: Pick<Telemetry, 'writes' | 'queues'>
}

// A customer that another instance changed is loaded, and the next attempt decided on that; at the last the lock comes first.
const missesAtMost = 3
const tasksOfLineAtMost = 400

type Ready = { line: Line; decided: Decided<Answer>; now: number }

export function createLedgerWriter(options: Options): LedgerWriter {
  const { database, catalogues, states, connections, customerTurns, onFault, telemetry } = options
  const idle = [...connections]
  const writeLocked = createLockedWriter({ database, catalogues, customerTurns })
  const lines = createLines(connections.length, runBatch, telemetry?.queues.write)

  async function runBatch(batch: Line[]): Promise<void> {
    const connection = idle.pop() as PipelinedConnection
    try {
      await writeBatch(connection, batch)
    } finally {
      idle.push(connection)
    }
  }

  async function writeBatch(connection: PipelinedConnection, batch: Line[]): Promise<void> {
    const moments: Moment[] = []
    const ready: Ready[] = []
    for (const [environment, group] of Map.groupBy(batch, environmentOf)) {
      const moment = findMoment(environment, group)
      const decided = group.flatMap((line) => decideHeld(line, moment))
      if (moment && decided.length > 0) moments.push(moment)
      ready.push(...decided)
    }
    if (ready.length > 0) await save(connection, moments, ready)
  }

  /** One instant and one catalogue for all: the newest known, at the latest time that any of them was admitted or loaded. */
  function findMoment(environment: Environment, group: Line[]): Moment | undefined {
    const catalogue = catalogues.find(environment, 0)
    if (!catalogue || catalogue.frozenAt !== null)
      return catalogue && { catalogue, now: catalogue.frozenAt ?? 0 }
    let now = 0
    for (const { customerHash, waiting } of group) {
      now = Math.max(now, states.find(customerHash)?.asOf ?? 0)
      for (const { task } of waiting) now = Math.max(now, task.now)
    }
    return { catalogue, now }
  }

  /** Decides on what is in memory; whom that does not suffice for goes on beside the batch. */
  function decideHeld(line: Line, moment: Moment | undefined): Ready[] {
    const state = states.find(line.customerHash)
    if (!moment || line.misses >= missesAtMost) detach(line, lock)
    // Loaded before the clock was set back, it lacks what is not over any more.
    else if (!state || state.asOf > moment.now) detach(line, reload)
    else {
      const decided = tryDecide(line, state, moment)
      if (decided && isPlain(decided.change)) return [{ line, decided, now: moment.now }]
      detach(line, lock)
    }
    return []
  }

  function tryDecide(line: Line, state: CustomerState, moment: Moment): Decided<Answer> | undefined {
    const tasks = line.waiting.slice(0, tasksOfLineAtMost).map((each) => each.task)
    try {
      const result = decideBatch({ state, facts: noFacts, tasks }, moment)
      return 'decided' in result ? result.decided : undefined
    } catch (error) {
      onFault(error)
      states.forget(line.customerHash)
      return undefined
    }
  }

  async function save(connection: PipelinedConnection, moments: Moment[], ready: Ready[]): Promise<void> {
    const changes = ready.map((each) => each.decided.change)
    try {
      const saved = await saveChanges((...statement) => connection.query(...statement), moments, changes)
      for (const { line, decided, now } of ready) {
        const { customerUid } = decided.change
        if (saved.written.has(customerUid)) {
          telemetry?.writes.memory.add(decided.outcomes.length)
          finish(line, decided, now)
        } else if (saved.taken.has(customerUid)) detach(line, lock)
        else {
          states.noteSharing()
          detach(line, reload)
        }
      }
    } catch (error) {
      if (isOfOne(error)) await setApart(ready)
      else for (const { line, decided } of ready) fail(line, decided.outcomes.length, error)
    }
  }

  /** Somebody in the batch is locked, or cannot be written: the others go on without waiting for it. */
  async function setApart(ready: Ready[]): Promise<void> {
    const uids = ready.map((each) => each.decided.change.customerUid)
    const unlocked = await findUnlocked(database, uids).catch(() => new Set<string>())
    for (const { line, decided } of ready) {
      line.misses++
      if (unlocked.has(decided.change.customerUid)) lines.release(line, 0)
      else detach(line, lock)
    }
  }

  /** Work on one customer beside the batches: its line waits for it, no other does. */
  function detach(line: Line, work: (line: Line, tasks: number) => Promise<void>): void {
    const tasks = Math.min(line.waiting.length, tasksOfLineAtMost)
    work(line, tasks).catch((error) => fail(line, tasks, error))
  }

  async function reload(line: Line, tasks: number): Promise<void> {
    line.misses++
    const state = await states.load(line.customerHash)
    if (!state) {
      refuse(line, tasks)
      return
    }
    await catalogues.get(state.customer.environment, state.catalogueRevision)
    lines.release(line, 0)
  }

  async function lock(line: Line, tasks: number): Promise<void> {
    const written = await writeLocked(
      line.customerHash,
      line.waiting.slice(0, tasks).map((each) => each.task),
    )
    if (!written) return refuse(line, tasks)
    telemetry?.writes.locked.add(written.decided.outcomes.length)
    finish(line, written.decided, written.now)
  }

  function finish(line: Line, { state, outcomes }: Decided<Answer>, now: number): void {
    states.keep(pruneState(state, now))
    line.misses = 0
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome instanceof Error) line.waiting[index]?.reject(outcome)
      else outcome()
    }
    lines.release(line, outcomes.length)
  }

  /** There is no such customer. */
  function refuse(line: Line, tasks: number): void {
    states.forget(line.customerHash)
    for (const { task, reject } of line.waiting.slice(0, tasks)) reject(missing('customer', task.customerId))
    lines.release(line, tasks)
  }

  function fail(line: Line, tasks: number, error: unknown): void {
    for (const { reject } of line.waiting.slice(0, tasks)) reject(error)
    lines.release(line, tasks)
  }

  return (task) =>
    new Promise((resolve, reject) => {
      lines.add({ task: mapOutcome(task, (outcome) => () => resolve(outcome)), reject })
    })
}

const environmentOf = ({ waiting }: Line): Environment =>
  (waiting[0] as Line['waiting'][number]).task.principal.environment

/** Whether the database refused the statement for what one customer may have brought about: a lock, a constraint, a value. */
const isOfOne = (error: unknown): boolean => isDeadlock(error) || /^(22|23|55)/.test(sqlStateOf(error) ?? '')
