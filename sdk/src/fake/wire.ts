// How the fake writes what it holds: the shapes of the wire, which the types generated from openapi.json hold it to.
import type { FeatureAccess as DomainAccess } from '../../../server/src/domain/access/feature-access.ts'
import type { HeldProduct } from '../../../server/src/domain/access/held-products.ts'
import { computeOpenBonuses } from '../../../server/src/domain/access/open-bonuses.ts'
import { amountToNumber } from '../../../server/src/domain/amount.ts'
import type * as catalogue from '../../../server/src/domain/catalogue/catalogue.ts'
import { latestVersion } from '../../../server/src/domain/catalogue/catalogue.ts'
import { shownInterval } from '../../../server/src/domain/catalogue/feature.ts'
import type { BonusOutcome } from '../../../server/src/domain/ledger/change-bonus.ts'
import type { Bonus as DomainBonus } from '../../../server/src/domain/ledger/state.ts'
import type { UsageEvent as DomainEvent } from '../../../server/src/domain/ledger/usage-event.ts'
import type {
  Bonus,
  BonusChange,
  Customer,
  CustomerProduct,
  Feature,
  FeatureAccess,
  Product,
  UsageEvent,
} from '../generated/api.ts'
import { readAccess } from './ledger.ts'
import type { FakeCustomer, FakeStore } from './store.ts'

/** Left out where there is no value. */
export const given = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }

export const toApiFeature = (feature: catalogue.Feature): Feature => ({
  id: feature.featureId,
  featureKey: feature.featureKey,
  name: feature.name,
  ...given('description', feature.description),
  type: feature.type,
  tracksUsage: feature.tracksUsage,
  usageResetInterval: shownInterval(feature),
  usageResetAnchor: feature.usageResetAnchor,
  isArchived: feature.archivedAt !== null,
  archivedAt: feature.archivedAt,
  archivedReason: feature.archivedReason,
})

export function toApiProduct(
  store: FakeStore,
  product: catalogue.Product,
  version: catalogue.ProductVersion = latestVersion(product),
): Product {
  const { features } = store.catalogue()
  return {
    id: product.productId,
    key: product.productKey,
    name: product.name,
    type: product.type,
    isDefault: product.isDefault,
    isAddOn: product.isAddOn,
    isArchived: product.archivedAt !== null,
    archivedAt: product.archivedAt,
    ...given('limitsPerUnit', product.type === 'provider' ? product.limitsPerUnit : undefined),
    version: version.version,
    providerProductId: product.providerProductId,
    metadata: product.metadata,
    prices: [],
    featureAccess: version.entries.flatMap((entry) => {
      const feature = features.get(entry.featureKey)
      if (!feature) return []
      const { featureKey, name, type } = feature
      const common = { featureKey, name, type, hasAccess: entry.hasAccess }
      if (type === 'boolean') return common
      const limit = entry.limit === undefined ? null : amountToNumber(entry.limit)
      return { ...common, limit, isUnlimited: entry.isUnlimited }
    }),
  }
}

export function toApiEntry({ feature, allowance, usage }: DomainAccess): FeatureAccess[string] {
  const { hasAccess, isUnlimited } = allowance
  if (feature.type === 'boolean') return { hasAccess, type: 'boolean' }
  return {
    hasAccess,
    type: 'limit',
    ...given('limit', isUnlimited ? undefined : amountToNumber(allowance.limit)),
    isUnlimited,
    ...given(
      'usage',
      usage && {
        used: amountToNumber(usage.used),
        ...given('remaining', usage.remaining === undefined ? undefined : amountToNumber(usage.remaining)),
        bonusRemaining: amountToNumber(usage.bonusRemaining),
        bonusUsed: amountToNumber(usage.bonusUsed),
        hasReachedLimit: usage.hasReachedLimit,
        ...given('nextReset', usage.nextReset),
        lastReset: usage.lastReset,
      },
    ),
  }
}

export const toApiAccess = (access: readonly DomainAccess[]): FeatureAccess =>
  Object.fromEntries(access.map((each) => [each.feature.featureKey, toApiEntry(each)]))

export const toApiBonus = (bonus: DomainBonus, customerId: string, featureKey: string): Bonus => ({
  bonusId: bonus.bonusId,
  customerId,
  featureKey,
  amount: amountToNumber(bonus.amount),
  remainingAmount: amountToNumber(bonus.amount - bonus.drawn),
  createdAt: bonus.createdAt,
  updatedAt: bonus.updatedAt,
  ...given('expiresAt', bonus.expiresAt),
  ...given('reason', bonus.reason),
  metadata: bonus.metadata,
})

export const toApiBonusChange = ({
  bonus,
  customerId,
  featureKey,
  counterRemaining,
}: BonusOutcome): BonusChange => ({
  bonus: toApiBonus(bonus, customerId, featureKey),
  ...given('counterRemaining', counterRemaining === undefined ? undefined : amountToNumber(counterRemaining)),
})

export const toEventId = (customerUid: string, event: DomainEvent): string =>
  `${customerUid}.${event.eventNo}`

export const toApiEvent = (owner: FakeCustomer, event: DomainEvent, featureKey: string): UsageEvent => ({
  id: toEventId(owner.customer.customerUid, event),
  customerId: owner.customer.customerId,
  featureKey,
  amount: amountToNumber(event.amount),
  occurredAt: event.occurredAt,
  source: event.sentUsed === undefined ? 'usage' : 'usage_set_adjustment',
  ...given('eventKey', event.eventKey),
  metadata: event.metadata,
})

export function toApiCustomer(store: FakeStore, owner: FakeCustomer): Customer {
  const { customer } = owner
  const { catalogue: offered, entitlements, state, now, access } = readAccess(store, owner)
  return {
    customerId: customer.customerId,
    ...given('providerCustomerId', customer.providerCustomerId),
    hasPaymentMethod: customer.hasPaymentMethod,
    ...given('name', customer.name),
    ...given('email', customer.email),
    metadata: customer.metadata,
    created: customer.createdAt,
    usageStartedAt: customer.usageStartedAt,
    enviroment: customer.environment,
    products: entitlements.held.map(toApiCustomerProduct),
    featureAccess: toApiAccess(access),
    bonuses: computeOpenBonuses(offered, entitlements, state, now).map(({ bonus, feature }) =>
      toApiBonus(bonus, customer.customerId, feature.featureKey),
    ),
  }
}

const toApiCustomerProduct = (held: HeldProduct): CustomerProduct => ({
  id: held.product.productId,
  key: held.product.productKey,
  name: held.product.name,
  type: held.product.type,
  isDefault: held.product.isDefault,
  status: held.status,
  version: held.version,
  metadata: held.product.metadata,
  canceledAt: held.canceledAt,
  startedAt: held.startedAt,
  currentPeriodStart: held.currentPeriod.start,
  currentPeriodEnd: held.currentPeriod.end,
  prices: held.items.map(({ providerPriceId, quantity, isActive }) => ({
    providerPriceId,
    quantity,
    isActive,
    isDefault: true,
  })),
})
