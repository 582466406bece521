// What an edit or deletion of a usage event would make of the periods it touches: the very decision of the write, not written.

import { toUsed } from '../../domain/access/feature-access.ts'
import { computeHeldProducts } from '../../domain/access/held-products.ts'
import type { Period } from '../../domain/access/period.ts'
import { amountFromNumber } from '../../domain/amount.ts'
import { missing } from '../../domain/errors.ts'
import {
  type Account,
  computeRemainingAt,
  computeTerms,
  periodAt,
  totalAt,
  withPeriods,
} from '../../domain/ledger/account.ts'
import { amendTask } from '../../domain/ledger/amend.ts'
import { deleteTask } from '../../domain/ledger/delete.ts'
import type { CustomerState } from '../../domain/ledger/state.ts'
import { lockMoment } from '../../storage/catalogue/moment.ts'
import { inOneSnapshot } from '../../storage/database.ts'
import { loadStatesByHash } from '../../storage/ledger/load-states.ts'
import type { Context } from '../context.ts'
import { decideLocked } from '../ledger/write-locked.ts'
import type { Services } from '../services.ts'
import { getEventOwner } from './get-usage-event.ts'

export type EventEdit = { amount?: number | undefined; occurredAt?: number | undefined; isDeleted: boolean }

export type PeriodFigures = { used: bigint; remaining: bigint | undefined }

export type PreviewedPeriod = Period & { featureKey: string; before: PeriodFigures; after: PeriodFigures }

export async function previewEvent(
  services: Services,
  context: Context,
  eventId: string,
  edit: EventEdit,
): Promise<PreviewedPeriod[]> {
  const { customerHash, customerId, name } = await getEventOwner(services, context, eventId)
  const { principal } = context
  return inOneSnapshot(services.database, async (sql) => {
    const opened = await lockMoment(sql, principal.environment, services.catalogues.getLocked)
    const state = (await loadStatesByHash(sql, [customerHash])).get(customerHash)
    if (!state) throw missing('usage event', eventId)
    const moment = { ...opened, now: Math.max(opened.now, state.asOf) }
    const origin = { principal, customerHash, customerId, now: moment.now }
    const task = edit.isDeleted
      ? deleteTask(origin, name)
      : amendTask(origin, name, {
          amount: edit.amount === undefined ? undefined : amountFromNumber(edit.amount),
          occurredAt: edit.occurredAt,
          eventKey: undefined,
          metadata: undefined,
        })
    const { decided, known } = await decideLocked(sql, state, [task], moment)
    const [outcome] = decided.outcomes
    if (!outcome || outcome instanceof Error) throw outcome ?? missing('usage event', eventId)
    const { before, after, feature } = outcome
    const held = computeHeldProducts(moment.catalogue, state, moment.now)
    const terms = computeTerms(feature, held, state.customer.usageStartedAt, moment.now)
    const accountOf = (of: CustomerState): Account => ({
      ...terms,
      state: of,
      facts: known.facts,
      now: moment.now,
      eventNo: 0,
    })
    const instants = [before.occurredAt, after.occurredAt, moment.now]
    const [was, willBe] = [known.state, decided.state].map((of) => withPeriods(accountOf(of), instants)) as [
      Account,
      Account,
    ]
    const seen = new Set<number>()
    return instants.flatMap((at) => {
      const period = periodAt(was, at)
      if (seen.has(period.start)) return []
      seen.add(period.start)
      return [{ ...period, featureKey: feature.featureKey, before: look(was, at), after: look(willBe, at) }]
    })
  })
}

const look = (account: Account, at: number): PeriodFigures => ({
  used: toUsed(totalAt(account, at)),
  remaining: computeRemainingAt(account, at),
})
