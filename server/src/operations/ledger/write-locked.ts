// Writing one customer's ledger under its lock: what a decision lacks is looked up there, so that it is made in one go.
import type { Moment } from '../../domain/ledger/account.ts'
import { isEmpty, isPlain } from '../../domain/ledger/change.ts'
import { type Decided, decideBatch, listKeys } from '../../domain/ledger/decide-batch.ts'
import { noFacts } from '../../domain/ledger/facts.ts'
import type { CustomerState } from '../../domain/ledger/state.ts'
import type { LedgerTask } from '../../domain/ledger/task.ts'
import type { Catalogues } from '../../storage/catalogue/catalogues.ts'
import { lockMoment } from '../../storage/catalogue/moment.ts'
import type { Database, Sql } from '../../storage/database.ts'
import { type Known, loadFacts } from '../../storage/ledger/load-facts.ts'
import { loadStatesByHash } from '../../storage/ledger/load-states.ts'
import { lockCustomer } from '../../storage/ledger/lock-customer.ts'
import { type RunStatement, saveChanges } from '../../storage/ledger/save-changes.ts'
import { returnDraws, saveFurther } from '../../storage/ledger/save-further.ts'
import type { Turns } from '../../storage/turns.ts'

export type Written<Outcome> = { decided: Decided<Outcome>; now: number }

// Events tell which counters are needed, and both together decide.
const lookUpsAtMost = 4

/** Undefined when there is no such customer. */
export type LockedWriter = <Outcome>(
  customerHash: string,
  tasks: readonly LedgerTask<Outcome>[],
) => Promise<Written<Outcome> | undefined>

type Options = { database: Database; catalogues: Catalogues; customerTurns: Turns }

export function createLockedWriter({ database, catalogues, customerTurns }: Options): LockedWriter {
  return (customerHash, tasks) => {
    const [first] = tasks
    if (!first) throw new Error('there is nothing to write')
    const { environment } = first.principal
    const work = async (sql: Sql) => {
      // In this order: whoever waits for the customer must not keep a change of the catalogue waiting.
      if (!(await lockCustomer(sql, customerHash))) return undefined
      const opened = await lockMoment(sql, environment, catalogues.getLocked)
      const state = (await loadStatesByHash(sql, [customerHash])).get(customerHash)
      if (!state) throw new Error(`the customer ${customerHash} is locked and gone`)
      const moment = { ...opened, now: Math.max(opened.now, state.asOf) }
      const { decided } = await decideLocked(sql, state, tasks, moment)
      await save(sql, moment, decided)
      return { decided, now: moment.now }
    }
    return customerTurns(customerHash, () => database.inTransaction(work))
  }
}

/** With what was looked up for it; in a snapshot it is what a write would decide there. */
export async function decideLocked<Outcome>(
  sql: Sql,
  state: CustomerState,
  tasks: readonly LedgerTask<Outcome>[],
  moment: Moment,
): Promise<{ decided: Decided<Outcome>; known: Known }> {
  let known: Known = { state, facts: noFacts }
  let lacks = listKeys(tasks, moment.catalogue)
  for (let lookUps = 0; lookUps <= lookUpsAtMost; lookUps++) {
    if (lacks.length > 0) known = await loadFacts(sql, known, lacks)
    const result = decideBatch({ ...known, tasks }, moment)
    if ('decided' in result) return { decided: result.decided, known }
    lacks = result.lacks
  }
  throw new Error(`a decision about ${state.customer.customerUid} lacks what cannot be looked up`)
}

/** Under the lock the confirmation always holds: if it does not, nothing is written. */
async function save(sql: Sql, moment: Moment, { change }: Decided<unknown>): Promise<void> {
  if (isEmpty(change)) return
  await returnDraws(sql, change)
  const run: RunStatement = async (statement, values) =>
    (await sql.query<[string, boolean]>({ ...statement, values, rowMode: 'array' })).rows
  const { written } = await saveChanges(run, [moment], [change])
  if (!written.has(change.customerUid))
    throw new Error(`a locked write of ${change.customerUid} was not confirmed`)
  if (!isPlain(change)) await saveFurther(sql, change)
}
