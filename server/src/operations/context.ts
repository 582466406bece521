// On whose behalf an operation runs, when, and on what catalogue. A request brings what its admission saw; a session, a command
// or a job opens a context of its own and calls the same operations.
import type { Catalogue } from '../domain/catalogue/catalogue.ts'
import type { Moment } from '../domain/ledger/account.ts'
import type { Principal } from '../domain/principal.ts'
import { lockMoment } from '../storage/catalogue/moment.ts'
import { customerHash } from '../storage/customers/customer-uid.ts'
import type { Sql } from '../storage/database.ts'
import type { Services } from './services.ts'

export type Context = {
  principal: Principal
  /** Business time: the environment's clock, which may be frozen. */
  now: number
  /** At least as new as any change answered before the request came. */
  catalogue: Catalogue
  /** The customer that the request names. */
  named?: { customerId: string; customerHash: string }
  /** That customer as one statement saw it together with the catalogue; without a uid there was none. */
  seen?: Sighting
}

export type Sighting = {
  customerUid: string | undefined
  revision: number
  catalogueRevision: number
}

/** Known already where admission looked for the customer. */
export const toCustomerHash = ({ principal, named }: Context, customerId: string): string =>
  named?.customerId === customerId ? named.customerHash : customerHash(principal.environment, customerId)

/** For reading what was changed after the admission. */
export const withoutSighting = ({ principal, now, catalogue }: Context): Context => ({
  principal,
  now,
  catalogue,
})

export async function openContext({ catalogues }: Services, principal: Principal): Promise<Context> {
  const { catalogue, now } = await catalogues.current(principal.environment)
  return { principal, now, catalogue }
}

type MomentWork<Locked, Result> = {
  /** Takes the locks of customers. */
  lock?(sql: Sql): Promise<Locked>
  work(sql: Sql, moment: Moment, locked: Locked | undefined): Promise<Result>
}

/**
 * Runs a transaction that decides by the catalogue: the one in force when the work begins, which stays so to the commit. Customers
 * are locked before the moment, by uid: whoever waits for one must not keep a change of the catalogue waiting, and with it
 * everybody else.
 */
export function inMoment<Locked, Result>(
  { database, catalogues }: Services,
  { principal }: Context,
  { lock, work }: MomentWork<Locked, Result>,
): Promise<Result> {
  return database.inTransaction(async (sql) => {
    const locked = await lock?.(sql)
    return work(sql, await lockMoment(sql, principal.environment, catalogues.getLocked), locked)
  })
}
