// Creating, updating and deleting bonuses: under the customer's lock, with the draws settled before and after.

import { computeUsage } from '../../domain/access/feature-access.ts'
import type { Amount } from '../../domain/amount.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Feature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import { getCounter, settleDraws } from '../../domain/ledger/counters.ts'
import { type Account, checkTracking, periodAt } from '../../domain/ledger/decide-usage.ts'
import type { Bonus, CustomerState, Draw } from '../../domain/ledger/state.ts'
import { type Change, insertAuditEntry } from '../../storage/audit/audit-log.ts'
import type { Sql } from '../../storage/database.ts'
import type { Services } from '../services.ts'
import { openBook } from '../usage/ledger-book.ts'

export type BonusSubject = { customerUid: string; customerId: string; feature: Feature }

/** A bonus after a change, and what the feature has left. */
export type BonusChange = { bonus: Bonus; counterRemaining: Amount | undefined }

type Work = (
  sql: Sql,
  account: Account,
  eventNo: number,
) => Promise<{ state: CustomerState; bonus: Bonus; change: Omit<Change, 'subject'> }>

/** The work sees the draws that answers show, and returns the state with the bonus as it shall be. */
export async function changeBonus(
  { catalogues, states }: Services,
  sql: Sql,
  caller: Caller,
  { customerUid, customerId, feature }: BonusSubject,
  work: Work,
): Promise<BonusChange & { publish(): void }> {
  const { now } = caller
  const catalogue = await catalogues.get(caller.environment, caller.catalogueRevision)
  const subject = { customerUid, catalogue, feature, now }
  const book = await openBook(sql, [{ ...subject, keys: [] }], states)
  if (!book.findAccount(subject)) throw missing('customer', customerId)
  checkTracking(feature)
  await book.ensureCounters([{ ...subject, at: now }])
  const eventNo = book.nextEventNo(customerUid)
  const account = book.findAccount(subject) as Account
  const tracked = { feature, allowance: account.allowance, period: periodAt(account, now) }

  const shown = settleDraws(account.state, tracked, now)
  const done = await work(sql, { ...account, state: shown.state }, eventNo)
  const settled = settleDraws(done.state, tracked, now)
  const moves: Draw[] = [...shown.moves, ...settled.moves]
  book.apply(subject, { state: settled.state, moves }, eventNo)
  await Promise.all(await book.save())
  await insertAuditEntry(sql, caller, { ...done.change, subject: done.bonus.bonusId })

  const bonus = settled.state.bonuses.find((each) => each.bonusId === done.bonus.bonusId) ?? done.bonus
  const counter = getCounter(settled.state, feature.featureNo, tracked.period)
  const { remaining } = computeUsage(tracked, counter, settled.state, now)
  return { bonus, counterRemaining: remaining, publish: () => book.publish(now) }
}
