// The fake's usage and bonuses: every write is decided by the service's own rules.
import { settleBonuses } from '../../../server/src/domain/access/open-bonuses.ts'
import { amountFromNumber, amountToNumber, isAmount } from '../../../server/src/domain/amount.ts'
import { getFeature } from '../../../server/src/domain/catalogue/catalogue.ts'
import { invalid, missing } from '../../../server/src/domain/errors.ts'
import { amendTask, type EventName } from '../../../server/src/domain/ledger/amend.ts'
import { contains } from '../../../server/src/domain/ledger/counters.ts'
import { deleteTask } from '../../../server/src/domain/ledger/delete.ts'
import { deleteBonusTask } from '../../../server/src/domain/ledger/delete-bonus.ts'
import { giveTask } from '../../../server/src/domain/ledger/give-bonus.ts'
import { recordTask, type UsageOutcome } from '../../../server/src/domain/ledger/record.ts'
import { setTask } from '../../../server/src/domain/ledger/set.ts'
import type { Bonus } from '../../../server/src/domain/ledger/state.ts'
import { computeBuckets } from '../../../server/src/domain/ledger/summary.ts'
import { updateBonusTask } from '../../../server/src/domain/ledger/update-bonus.ts'
import type { UsageEvent } from '../../../server/src/domain/ledger/usage-event.ts'
import type { CallInput } from '../call.ts'
import type { UsageResult } from '../generated/api.ts'
import { answerBatch } from './batch.ts'
import { originOf, readAccess, write } from './ledger.ts'
import { type FakeRoutes, newestFirst, pageOf } from './routes.ts'
import { type FakeCustomer, type FakeStore, getCustomer } from './store.ts'
import { given, toApiBonus, toApiBonusChange, toApiEvent, toEventId } from './wire.ts'

function toAmount(value: number, field = 'amount'): bigint {
  if (typeof value === 'number' && isAmount(value)) return amountFromNumber(value)
  throw invalid(`${field} must have at most 15 significant digits and 6 decimals, and lie within ±10^12.`)
}

const toResult = ({ applied, used, event, customerUid, reason }: UsageOutcome): UsageResult => ({
  applied,
  used: amountToNumber(used),
  ...given('eventId', event && toEventId(customerUid, event)),
  ...given('reason', reason),
})

export function createUsageRoutes(store: FakeStore): FakeRoutes {
  const record = ({ customerId, ...event }: CallInput<'POST /v1/usage'>['body']): UsageResult => {
    const { featureKey, eventKey, amount = 1, occurredAt, metadata = {}, enforceLimit = false } = event
    const input = {
      featureKey,
      eventKey,
      keyHash: eventKey,
      metadata,
      enforceLimit,
      sentOccurredAt: occurredAt,
    }
    return toResult(
      write(store, recordTask(originOf(store, customerId), { ...input, amount: toAmount(amount) })),
    )
  }
  const find = (id: string): { owner: FakeCustomer; event: UsageEvent; name: EventName } => {
    for (const owner of store.customers.values()) {
      const { customerUid } = owner.customer
      const event = owner.events.find((each) => toEventId(customerUid, each) === id)
      if (event?.deletedAt === undefined && event) return { owner, event, name: { ...event, eventId: id } }
    }
    throw missing('usage event', id)
  }
  const toApi = (owner: FakeCustomer, event: UsageEvent) => {
    const { featuresByNo } = store.catalogue()
    return toApiEvent(owner, event, featuresByNo.get(event.featureNo)?.featureKey ?? '')
  }
  return {
    'POST /v1/usage': ({ body }) => record(body),
    'POST /v1/usage/batch': ({ body }) => answerBatch('events', body.events, record),
    'POST /v1/usage/set': ({ body: { customerId, featureKey, eventKey, used, metadata = {} } }) => {
      const input = { featureKey, eventKey, keyHash: eventKey, metadata, used: toAmount(used, 'used') }
      const outcome = write(store, setTask(originOf(store, customerId), input))
      const adjustment = outcome.event && amountToNumber(outcome.event.firstAmount)
      return { ...toResult(outcome), ...given('adjustment', adjustment) }
    },
    'GET /v1/usage': ({ query }) => {
      const owner = getCustomer(store, query.customerId)
      const { featureKey, from = -Infinity, to = Infinity } = query
      const featureNo = featureKey && getFeature(store.catalogue(), featureKey).featureNo
      const found = owner.events.filter(
        (event) =>
          event.deletedAt === undefined &&
          (featureNo === undefined || event.featureNo === featureNo) &&
          event.occurredAt >= from &&
          event.occurredAt < to,
      )
      const { items, nextCursor } = pageOf(
        newestFirst(found.toReversed(), ({ occurredAt }) => occurredAt),
        query,
      )
      return { events: items.map((event) => toApi(owner, event)), nextCursor }
    },
    'GET /v1/usage/summary': ({ query: { customerId, featureKey, interval, from, to } }) => {
      const owner = getCustomer(store, customerId)
      const { featureNo } = getFeature(store.catalogue(), featureKey)
      const buckets = computeBuckets(interval, { from, to }, store.now()).map((bucket) => {
        const found = owner.events.filter(
          (event) =>
            event.featureNo === featureNo &&
            event.deletedAt === undefined &&
            contains(bucket, event.occurredAt),
        )
        const used = found.reduce((sum, { amount }) => sum + amount, 0n)
        return { ...bucket, used: amountToNumber(used), events: found.length }
      })
      return { buckets }
    },
    'GET /v1/usage/{id}': ({ path }) => {
      const { owner, event } = find(path.id)
      return toApi(owner, event)
    },
    'PUT /v1/usage/{id}': ({ path, body = {} }) => {
      const { owner, name } = find(path.id)
      const { amount, occurredAt, eventKey, metadata } = body
      const patch = {
        amount: amount === undefined ? undefined : toAmount(amount),
        occurredAt,
        eventKey: eventKey ? { eventKey, keyHash: eventKey } : eventKey === null ? null : undefined,
        metadata: metadata === null ? {} : metadata,
      }
      const { after } = write(store, amendTask(originOf(store, owner.customer.customerId), name, patch))
      return toApi(owner, after)
    },
    'DELETE /v1/usage/{id}': ({ path }) => {
      const { owner, name } = find(path.id)
      write(store, deleteTask(originOf(store, owner.customer.customerId), name))
      return { deletedCount: 1 }
    },
  }
}

export function createBonusRoutes(store: FakeStore): FakeRoutes {
  const find = (bonusId: string): { owner: FakeCustomer; bonus: Bonus; featureKey: string } => {
    for (const owner of store.customers.values()) {
      const bonus = owner.bonuses.find((each) => each.bonusId === bonusId)
      const feature = bonus && store.catalogue().featuresByNo.get(bonus.featureNo)
      if (bonus && feature) return { owner, bonus, featureKey: feature.featureKey }
    }
    throw missing('bonus', bonusId)
  }
  /** With the draws that the current need would make. */
  const listSettled = (owner: FakeCustomer): readonly Bonus[] => {
    const { entitlements, state, now } = readAccess(store, owner)
    const settled = entitlements.tracked.flatMap((tracked) => settleBonuses(tracked, state, now))
    return owner.bonuses.map((bonus) => settled.find(({ bonusId }) => bonusId === bonus.bonusId) ?? bonus)
  }
  return {
    'POST /v1/bonuses': ({ body, header }) => {
      const { customerId, featureKey, amount, expiresAt, reason, metadata = {} } = body
      if (!(amount > 0)) throw invalid('amount must be above 0.')
      const keyHash = header?.['Idempotency-Key']
      const input = {
        featureKey,
        bonus: { amount: toAmount(amount), expiresAt, reason, metadata },
        makeBonusId: () => crypto.randomUUID(),
        request: keyHash === undefined ? undefined : { keyHash, bodyHash: JSON.stringify(body) },
      }
      return toApiBonusChange(write(store, giveTask(originOf(store, customerId), input)))
    },
    'GET /v1/bonuses': ({ query }) => {
      const owner = getCustomer(store, query.customerId)
      const { features, featuresByNo } = store.catalogue()
      if (query.featureKey !== undefined) getFeature(store.catalogue(), query.featureKey)
      const featureNo = features.get(query.featureKey ?? '')?.featureNo
      const found = listSettled(owner).filter(
        (bonus) => featureNo === undefined || bonus.featureNo === featureNo,
      )
      const sorted = newestFirst(found.toReversed(), ({ createdAt }) => createdAt)
      const { items, nextCursor } = query.limit ? pageOf(sorted, query) : { items: sorted, nextCursor: null }
      const toApi = (bonus: Bonus) =>
        toApiBonus(bonus, query.customerId, featuresByNo.get(bonus.featureNo)?.featureKey ?? '')
      return { bonuses: items.map(toApi), nextCursor }
    },
    'GET /v1/bonuses/{bonusId}': ({ path }) => {
      const { owner, bonus, featureKey } = find(path.bonusId)
      const settled = listSettled(owner).find(({ bonusId }) => bonusId === path.bonusId) ?? bonus
      return { bonus: toApiBonus(settled, owner.customer.customerId, featureKey) }
    },
    'PUT /v1/bonuses/{bonusId}': ({ path: { bonusId }, body = {} }) => {
      const { owner, bonus } = find(bonusId)
      const { amount, expiresAt, reason, metadata } = body
      const patch = {
        amount: amount === undefined ? undefined : toAmount(amount),
        expiresAt,
        reason,
        metadata,
      }
      const task = updateBonusTask(originOf(store, owner.customer.customerId), bonus, patch)
      return toApiBonusChange(write(store, task))
    },
    'DELETE /v1/bonuses/{bonusId}': ({ path: { bonusId } }) => {
      const { owner, bonus } = find(bonusId)
      const outcome = write(store, deleteBonusTask(originOf(store, owner.customer.customerId), bonus))
      const { counterRemaining } = toApiBonusChange(outcome)
      return { deleted: true, bonusId, ...given('counterRemaining', counterRemaining) }
    },
  }
}
