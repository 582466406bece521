// What a caller of a concurrent history does next: every kind of call, each as likely as it is worth, with few keys and
// instants around resets, so that calls meet one another.
import type { Chance } from './chance.ts'
import {
  type Access,
  type Allowed,
  anchors,
  type FeatureKey,
  featureKeys,
  type Instant,
  intervals,
  type RecordItem,
  type Step,
  trackedKeys,
} from './model-steps.ts'

/** `productKeys` are all of them. */
export type Cast = {
  customerIds: string[]
  customProductKeys: string[]
  providerProductKeys: string[]
  productKeys: string[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
let count = 0

const pickFeature = (chance: Chance): FeatureKey =>
  chance.weigh([
    [8, trackedKeys[0]],
    [4, trackedKeys[1]],
    [0.4, 'flag' as const],
    [0.4, 'cap' as const],
  ])

const pickAmount = (chance: Chance): number =>
  chance.weigh([
    [6, 1 + chance.upTo(4)],
    [2, -1 - chance.upTo(3)],
    [1, (1 + chance.upTo(40)) / 10],
    [1, 0],
  ])

const pickPast = (chance: Chance): Instant =>
  chance.pick<Instant>([
    { from: 'now', plus: -1 },
    { from: 'now', plus: -hourMs },
    { from: 'now', plus: -dayMs },
    { from: 'now', plus: 0 },
    { from: 'now', plus: 200_000 },
    { from: 'lastReset', plus: 0 },
    { from: 'lastReset', plus: -1 },
    { from: 'lastReset', plus: -40 * dayMs },
  ])

const pickFuture = (chance: Chance): Instant =>
  chance.pick<Instant>([
    { from: 'now', plus: 1 },
    { from: 'now', plus: hourMs },
    { from: 'now', plus: 50 * dayMs },
    { from: 'nextReset', plus: 0 },
    { from: 'nextReset', plus: dayMs },
  ])

const pickInstant = (chance: Chance): Instant =>
  chance.pick<Instant>([
    { from: 'nextReset', plus: 0 },
    { from: 'nextReset', plus: -1 },
    { from: 'nextReset', plus: 1 },
    { from: 'lastReset', plus: -1 },
    { from: 'lastReset', plus: 0 },
    { from: 'now', plus: hourMs },
    { from: 'now', plus: -hourMs },
    { from: 'now', plus: dayMs },
  ])

/** A key of its own, or one of a few that others use, too. */
const pickEventKey = (chance: Chance): string =>
  chance.is(0.75) ? `own-${++count}` : chance.pick(['a', 'b', 'c', 'd', 'e', 'f'])

export function pickRecord(chance: Chance, customerId: string): RecordItem {
  return {
    customerId,
    featureKey: pickFeature(chance),
    eventKey: pickEventKey(chance),
    ...(chance.is(0.9) ? { amount: pickAmount(chance) } : {}),
    ...(chance.is(0.25) ? { at: pickPast(chance) } : {}),
    ...(chance.is(0.45) ? { enforceLimit: true } : {}),
  }
}

/** What has to do with one customer; `customerId` may be the subject of a batch beside another. */
export function pickCustomerStep(chance: Chance, cast: Cast, customerId: string): Step {
  const subject = { customerId, featureKey: pickFeature(chance) }
  const event = chance.upTo(8)
  const bonus = chance.upTo(4)
  const productKey = chance.pick(cast.customProductKeys)
  return chance.weigh<() => Step>([
    [30, () => ({ do: 'record', ...pickRecord(chance, customerId) })],
    [5, () => ({ do: 'batch', items: pickItems(chance, cast, customerId) })],
    [5, () => ({ do: 'set', ...subject, eventKey: pickEventKey(chance), used: chance.upTo(12) })],
    [9, () => ({ do: 'amend', event, ...pickEventChange(chance) })],
    [5, () => ({ do: 'delete event', event })],
    [2, () => ({ do: 'read event', event })],
    [8, () => pickGift(chance, subject)],
    [7, () => ({ do: 'change bonus', bonus, ...pickBonusChange(chance) })],
    [3, () => ({ do: 'delete bonus', bonus })],
    [2, () => ({ do: 'read bonus', bonus })],
    [6, () => ({ do: 'check', ...subject, amount: chance.upTo(5) })],
    [8, () => ({ do: 'read access', customerId })],
    [3, () => ({ do: 'read customer', customerId })],
    [3, () => ({ do: 'list usage', customerId })],
    [3, () => ({ do: 'list bonuses', customerId })],
    [3, () => ({ do: 'assign', customerId, productKey })],
    [3, () => ({ do: 'unassign', customerId, productKey })],
    [2, () => ({ do: 'move start', ...subject, to: pickInstant(chance) })],
    [1, () => ({ do: 'rename customer', customerId, name: `Name ${++count}` })],
    [1, () => ({ do: 'migrate one', customerId, productKey: chance.pick(cast.productKeys) })],
    [0.7, () => ({ do: 'delete customer', customerId })],
    [
      2,
      () => ({ do: 'create customer', customerId, customProductKeys: [productKey], ...pickIfExists(chance) }),
    ],
    [2, () => pickSummary(chance, subject)],
  ])()
}

const pickIfExists = (chance: Chance) =>
  chance.is(0.6) ? { ifExists: chance.pick(['return', 'update'] as const) } : {}

const pickSummary = (chance: Chance, subject: { customerId: string; featureKey: FeatureKey }): Step => ({
  do: 'summarise',
  ...subject,
  interval: chance.pick(['hour', 'day', 'week', 'month'] as const),
  from: { from: 'now', plus: -chance.pick([1, 3, 12]) * dayMs },
  to: { from: 'now', plus: hourMs },
})

function pickItems(chance: Chance, { customerIds }: Cast, customerId: string): RecordItem[] {
  const pickCustomer = () => (chance.is(0.7) ? customerId : chance.pick(customerIds))
  return Array.from({ length: 1 + chance.upTo(3) }, () => pickRecord(chance, pickCustomer()))
}

const pickEventChange = (chance: Chance) => ({
  ...(chance.is(0.5) ? { amount: pickAmount(chance) } : {}),
  ...(chance.is(0.5) ? { at: pickPast(chance) } : {}),
  ...(chance.is(0.25) ? { eventKey: chance.pick([null, 'a', 'b', 'c', `own-${++count}`]) } : {}),
  ...(chance.is(0.25) ? { metadata: chance.pick([null, { by: 'x' }]) } : {}),
})

const pickGift = (chance: Chance, subject: { customerId: string; featureKey: FeatureKey }): Step => ({
  do: 'give',
  ...subject,
  amount: chance.pick([1, 2, 3, 5, 0.5]),
  ...(chance.is(0.5) ? { expires: pickFuture(chance) } : {}),
  ...(chance.is(0.4) ? { idempotencyKey: `${subject.customerId} ${chance.upTo(3)}` } : {}),
})

const pickBonusChange = (chance: Chance) => ({
  ...(chance.is(0.6) ? { amount: chance.pick([1, 2, 4, 10]) } : {}),
  ...(chance.is(0.4) ? { expires: chance.is(0.3) ? null : pickFuture(chance) } : {}),
  ...(chance.is(0.2) ? { reason: chance.pick([null, 'thanks']) } : {}),
  ...(chance.is(0.2) ? { metadata: chance.pick([null, { by: 'y' }]) } : {}),
})

const pickLimit = (chance: Chance): Allowed =>
  chance.weigh<Allowed>([
    [8, chance.upTo(10)],
    [1, 'none'],
    [0.7, 'denied'],
    [1, 'unlimited'],
  ])

export const pickAccess = (chance: Chance): Access => ({
  calls: pickLimit(chance),
  seats: pickLimit(chance),
  ...(chance.is(0.3) ? { flag: chance.pick<Allowed>(['denied', 0]) } : {}),
})

export function pickCatalogueStep(chance: Chance, cast: Cast): Step {
  const productKey = chance.pick(cast.productKeys)
  const featureKey = pickFeature(chance)
  return chance.weigh<() => Step>([
    [12, () => ({ do: 'set access', productKey, access: pickAccess(chance) })],
    [6, () => ({ do: 'change feature', featureKey, ...pickFeatureChange(chance) })],
    [2, () => ({ do: chance.pick(['archive feature', 'unarchive feature'] as const), featureKey })],
    [1.5, () => ({ do: 'delete feature', featureKey: chance.pick(featureKeys) })],
    [3, () => ({ do: 'create feature', featureKey: chance.pick(featureKeys) })],
    [3, () => ({ do: 'new version', productKey })],
    [2, () => ({ do: 'migrate', productKey })],
    [1, () => ({ do: chance.pick(['archive product', 'unarchive product'] as const), productKey })],
    [3, () => ({ do: chance.pick(['make default', 'unmake default'] as const), productKey })],
    [2, () => ({ do: chance.pick(['make add-on', 'unmake add-on'] as const), productKey })],
    [2, () => ({ do: chance.pick(['count units', 'count no units'] as const), productKey })],
    [1, () => ({ do: 'read product', productKey })],
  ])()
}

const pickFeatureChange = (chance: Chance) => ({
  ...(chance.is(0.6) ? { usageResetInterval: chance.pick(intervals) } : {}),
  ...(chance.is(0.3) ? { usageResetAnchor: chance.pick(anchors) } : {}),
  ...(chance.is(0.15) ? { tracksUsage: chance.is(0.6) } : {}),
})

export const pickClockStep = (chance: Chance, { customerIds }: Cast): Step => ({
  do: 'clock',
  customerId: chance.pick(customerIds),
  featureKey: pickFeature(chance),
  to: pickInstant(chance),
})
