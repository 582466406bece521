// A customer on the wire, with the products held, the feature access map and the open bonuses.
import { z } from 'zod'
import type { HeldProduct } from '../../domain/access/held-products.ts'
import { computeOpenBonuses } from '../../domain/access/open-bonuses.ts'
import { productTypes } from '../../domain/catalogue/catalogue.ts'
import { environments } from '../../domain/environment.ts'
import type { SubscriptionItem } from '../../domain/ledger/state.ts'
import { ifExistsChoices } from '../../operations/customers/create-customer.ts'
import type { CustomerView } from '../../operations/customers/read-customer.ts'
import { catalogueKey, customerId, email, metadata, name, timestamp } from '../fields.ts'
import { bonusSchema, toApiBonus } from './bonus.ts'
import { featureAccessSchema, writeFeatureAccess } from './feature-access.ts'

/** What a customer is created with, alone or in a batch. */
export const newCustomerFields = {
  customerId,
  name: name.optional(),
  email: email.optional(),
  metadata: metadata.optional(),
  usageStartedAt: timestamp.optional(),
  customProductKeys: z.array(catalogueKey).max(100).optional(),
  ifExists: z.enum(ifExistsChoices).optional(),
}

const heldPriceSchema = z
  .strictObject({
    providerPriceId: z.string(),
    quantity: z.number(),
    currency: z.string().optional(),
    unitAmount: z.number().optional(),
    recurringInterval: z.string().optional(),
    recurringIntervalCount: z.number().optional(),
    isActive: z.boolean(),
    isDefault: z.boolean(),
  })
  .meta({ id: 'HeldPrice', description: 'A price that a customer subscribes to' })

const customerProductSchema = z
  .strictObject({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    type: z.enum(productTypes),
    isDefault: z.boolean(),
    status: z.string(),
    version: z.int(),
    metadata: z.record(z.string(), z.string()),
    canceledAt: z.int().nullable(),
    startedAt: z.int(),
    currentPeriodStart: z.int(),
    currentPeriodEnd: z.int(),
    prices: z.array(heldPriceSchema),
  })
  .meta({ id: 'CustomerProduct', description: 'A product that a customer holds now' })

export const customerSchema = z
  .strictObject({
    customerId: z.string(),
    providerCustomerId: z.string().optional(),
    hasPaymentMethod: z.boolean(),
    name: z.string().optional(),
    email: z.string().optional(),
    metadata: z.record(z.string(), z.string()),
    created: z.int(),
    usageStartedAt: z.int(),
    enviroment: z.enum(environments),
    products: z.array(customerProductSchema),
    featureAccess: featureAccessSchema,
    bonuses: z.array(bonusSchema),
  })
  .meta({ id: 'Customer', description: 'A customer with all that it holds and may use' })

export function toApiCustomer(view: CustomerView) {
  const { customer } = view.state
  return {
    customerId: customer.customerId,
    providerCustomerId: customer.providerCustomerId,
    hasPaymentMethod: customer.hasPaymentMethod,
    name: customer.name,
    email: customer.email,
    metadata: customer.metadata,
    created: customer.createdAt,
    usageStartedAt: customer.usageStartedAt,
    enviroment: customer.environment,
    products: view.entitlements.held.map(toApiCustomerProduct),
    featureAccess: JSON.parse(writeFeatureAccess(view.access)),
    bonuses: computeOpenBonuses(view.catalogue, view.entitlements, view.state, view.now).map(
      ({ bonus, feature: { featureKey } }) =>
        toApiBonus(bonus, { customerId: customer.customerId, featureKey }),
    ),
  }
}

const toApiCustomerProduct = (held: HeldProduct): z.input<typeof customerProductSchema> => ({
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
  prices: held.items.map((item) => toApiHeldPrice(held, item)),
})

function toApiHeldPrice({ product }: HeldProduct, item: SubscriptionItem): z.input<typeof heldPriceSchema> {
  const price = product.prices.find((each) => each.providerPriceId === item.providerPriceId)
  return {
    providerPriceId: item.providerPriceId,
    quantity: item.quantity,
    currency: item.currency ?? undefined,
    unitAmount: item.unitAmount ?? undefined,
    recurringInterval: item.recurringInterval ?? undefined,
    recurringIntervalCount: item.recurringIntervalCount ?? undefined,
    isActive: item.isActive,
    isDefault: price?.isDefault ?? false,
  }
}
