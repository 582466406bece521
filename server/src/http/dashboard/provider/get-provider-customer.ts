// GET /dashboard/api/{environment}/customers/{customerId}/provider
import { z } from 'zod'
import type { Catalogue } from '../../../domain/catalogue/catalogue.ts'
import type { Subscription, SubscriptionItem } from '../../../domain/ledger/state.ts'
import { getProviderCustomer } from '../../../operations/provider/get-provider-customer.ts'
import { customerId } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

const itemSchema = z
  .strictObject({
    productKey: z.string().nullable(),
    productName: z.string(),
    version: z.int().nullable(),
    quantity: z.int(),
    unitAmount: z.number().nullable(),
    currency: z.string().nullable(),
    recurringInterval: z.string().nullable(),
    recurringIntervalCount: z.int().nullable(),
    currentPeriodStart: z.int(),
    currentPeriodEnd: z.int(),
  })
  .meta({ id: 'ProviderSubscriptionItem' })

const subscriptionSchema = z
  .strictObject({
    subscriptionId: z.string(),
    status: z.string().meta({ description: 'In the provider’s own word' }),
    phase: z.enum(['granting', 'suspended', 'ended']),
    startedAt: z.int(),
    canceledAt: z.int().nullable(),
    items: z.array(itemSchema),
  })
  .meta({ id: 'ProviderSubscription' })

const checkoutSchema = z
  .strictObject({ createdAt: z.int(), state: z.enum(['current', 'superseded']) })
  .meta({ id: 'RecentCheckout' })

const toItem = (item: SubscriptionItem, catalogue: Catalogue): z.input<typeof itemSchema> => {
  const product = catalogue.productsByProviderId.get(item.providerProductId)
  const { quantity, unitAmount, currency, recurringInterval, recurringIntervalCount } = item
  return {
    productKey: product?.productKey ?? null,
    productName: product?.name ?? item.providerProductId,
    version: item.version ?? null,
    quantity,
    unitAmount,
    currency,
    recurringInterval,
    recurringIntervalCount,
    currentPeriodStart: item.currentPeriodStart,
    currentPeriodEnd: item.currentPeriodEnd,
  }
}

const toSubscription = (
  { subscriptionId, status, phase, startedAt, canceledAt, items }: Subscription,
  catalogue: Catalogue,
): z.input<typeof subscriptionSchema> => ({
  subscriptionId,
  status,
  phase,
  startedAt,
  canceledAt,
  items: items.map((item) => toItem(item, catalogue)),
})

export const getProviderCustomerRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/customers/{customerId}/provider',
  access: 'read',
  tag: 'Provider',
  summary: 'What a customer is at the provider, as last fetched',
  params: z.strictObject({ customerId }),
  responses: {
    200: z.strictObject({
      providerCustomerId: z.string().nullable(),
      providerUrl: z.string().optional(),
      hasPaymentMethod: z.boolean(),
      subscriptions: z.array(subscriptionSchema),
      checkouts: z.array(checkoutSchema).meta({ description: 'The last 20, newest first' }),
    }),
  },
  errors: [404],
  handle: async ({ params, context }, services) => {
    const found = await getProviderCustomer(services, context, params.customerId)
    return {
      body: {
        providerCustomerId: found.providerCustomerId ?? null,
        ...(found.providerUrl === undefined ? {} : { providerUrl: found.providerUrl }),
        hasPaymentMethod: found.hasPaymentMethod,
        subscriptions: found.subscriptions.map((each) => toSubscription(each, found.catalogue)),
        checkouts: found.checkouts.map(({ createdAt, isCurrent }) => ({
          createdAt,
          state: isCurrent ? 'current' : 'superseded',
        })),
      },
    }
  },
})
