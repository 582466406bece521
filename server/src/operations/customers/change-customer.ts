// The one way to change a customer outside the ledger: lock, load, decide in the moment of the catalogue, save, log.
import { missing } from '../../domain/errors.ts'
import type { Moment } from '../../domain/ledger/account.ts'
import type { CustomerState } from '../../domain/ledger/state.ts'
import type { LogEntry } from '../../domain/ledger/task.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { raiseRevision } from '../../storage/customers/customers.ts'
import type { Sql } from '../../storage/database.ts'
import { loadStatesByHash } from '../../storage/ledger/load-states.ts'
import { lockCustomer } from '../../storage/ledger/lock-customer.ts'
import { type Context, inMoment, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

/** The work returns what to log; until the commit nobody else changes the customer or the catalogue. */
export async function changeCustomer(
  services: Services,
  context: Context,
  customerId: string,
  work: (sql: Sql, state: CustomerState, moment: Moment) => Promise<Omit<LogEntry, 'subject'>>,
): Promise<void> {
  const { principal } = context
  const hash = toCustomerHash(context, customerId)
  const change = {
    lock: (sql: Sql) => lockCustomer(sql, hash),
    work: async (sql: Sql, moment: Moment, isLocked: boolean | undefined) => {
      // One made anew since is not the one that was waited for, and is not locked.
      const state = isLocked ? (await loadStatesByHash(sql, [hash])).get(hash) : undefined
      if (!state) throw missing('customer', customerId)
      await raiseRevision(sql, state.customer.customerUid)
      const entry = await work(sql, state, moment)
      const { customerUid } = state.customer
      await insertAuditEntry(
        sql,
        { principal, now: moment.now },
        { ...entry, subject: customerId },
        customerUid,
      )
    },
  }
  await services.customerTurns(hash, () => inMoment(services, context, change))
}
