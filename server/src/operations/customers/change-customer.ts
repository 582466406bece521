// The one way to change a customer outside the ledger: lock, load, decide, save, log.
import type { Caller } from '../../domain/caller.ts'
import { missing } from '../../domain/errors.ts'
import type { CustomerState } from '../../domain/ledger/state.ts'
import { type Change, insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import { lockCustomer } from '../../storage/customers/customers.ts'
import type { Sql } from '../../storage/database.ts'
import { loadStates } from '../../storage/ledger/load-states.ts'
import type { Services } from '../services.ts'

/** The work returns what to log; under the lock nobody else changes the customer. */
export async function changeCustomer(
  { database }: Services,
  caller: Caller,
  customerId: string,
  work: (sql: Sql, state: CustomerState) => Promise<Omit<Change, 'subject'>>,
): Promise<void> {
  const uid = customerUid(caller.environment, customerId)
  await database.inTransaction(async (sql) => {
    await lockCustomer(sql, uid)
    const state = (await loadStates(sql, [uid], caller.now)).get(uid)
    if (!state) throw missing('customer', customerId)
    const change = await work(sql, state)
    await insertAuditEntry(sql, caller, { ...change, subject: customerId })
  })
}
