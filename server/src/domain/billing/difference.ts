// What is different here from what the payment provider has: a customer's subscriptions and details, a product's prices.
import type { Price, Product } from '../catalogue/catalogue.ts'
import type { CustomerState, Subscription, SubscriptionItem } from '../ledger/state.ts'

export type Difference = {
  kind: 'customer' | 'product'
  /** The customer's id; the product's key, or the provider's id of one that is not linked. */
  id: string
  text: string
  field?: string
  ours?: string
  theirs?: string
}

/** A customer as the provider has it; the subscriptions as they would be held here. */
export type CustomerThere = {
  name: string | null
  email: string | null
  hasPaymentMethod: boolean
  subscriptions: readonly Subscription[]
}

export type ProductThere = {
  name: string
  prices: readonly Omit<Price, 'priceId'>[]
}

type Found = Omit<Difference, 'kind' | 'id'>

export function compareCustomer(
  { customer, subscriptions }: Pick<CustomerState, 'customer' | 'subscriptions'>,
  theirs: CustomerThere,
): Difference[] {
  const found = [
    // What is not known here is not told there.
    ...(customer.name === undefined ? [] : compareField('name', customer.name, theirs.name)),
    ...(customer.email === undefined ? [] : compareField('email', customer.email, theirs.email)),
    ...compareField('hasPaymentMethod', customer.hasPaymentMethod, theirs.hasPaymentMethod),
    ...compareLists(
      subscriptions,
      theirs.subscriptions,
      toSubscriptionId,
      'subscription',
      compareSubscription,
    ),
  ]
  return found.map((each) => ({ kind: 'customer', id: customer.customerId, ...each }))
}

export function compareProduct(product: Product, theirs: ProductThere | undefined): Difference[] {
  const of = (found: Found[]): Difference[] =>
    found.map((each) => ({ kind: 'product', id: product.productKey, ...each }))
  if (!theirs) return product.archivedAt === null ? of([{ text: 'It is not active at the provider.' }]) : []
  const ours = product.prices.filter(({ isActive }) => isActive)
  const active = theirs.prices.filter(({ isActive }) => isActive)
  return of([
    ...compareField('name', product.name, theirs.name),
    ...compareLists(ours, active, toPriceId, 'price', comparePrice),
  ])
}

const toSubscriptionId = ({ subscriptionId }: Subscription) => subscriptionId
const toItemId = ({ itemId }: SubscriptionItem) => itemId
const toPriceId = ({ providerPriceId }: Omit<Price, 'priceId'>) => providerPriceId

const show = (value: unknown): string => (value === null || value === undefined ? 'none' : String(value))

function compareField(field: string, ours: unknown, theirs: unknown, place = ''): Found[] {
  if ((ours ?? null) === (theirs ?? null)) return []
  const text = `${place}${field} is ${show(ours)} here and ${show(theirs)} at the provider.`
  return [{ text, field, ours: show(ours), theirs: show(theirs) }]
}

/** Those that only one side has, and the differences of those that both have. */
function compareLists<T>(
  ours: readonly T[],
  theirs: readonly T[],
  toId: (one: T) => string,
  noun: string,
  compare: (ours: T, theirs: T, place: string) => Found[],
): Found[] {
  const there = new Map(theirs.map((each) => [toId(each), each]))
  const here = new Set(ours.map(toId))
  return [
    ...ours.flatMap((each): Found[] => {
      const id = toId(each)
      const other = there.get(id)
      if (other) return compare(each, other, `The ${noun} ${id}: `)
      return [
        { text: `The ${noun} ${id} is not running at the provider.`, field: noun, ours: id, theirs: 'none' },
      ]
    }),
    ...[...there.keys()]
      .filter((id) => !here.has(id))
      .map((id) => ({ text: `The ${noun} ${id} is not known here.`, field: noun, ours: 'none', theirs: id })),
  ]
}

function compareSubscription(ours: Subscription, theirs: Subscription, place: string): Found[] {
  return [
    ...compareField('status', ours.status, theirs.status, place),
    ...compareField('startedAt', ours.startedAt, theirs.startedAt, place),
    ...compareField('billingAnchorAt', ours.billingAnchorAt, theirs.billingAnchorAt, place),
    ...compareField('canceledAt', ours.canceledAt, theirs.canceledAt, place),
    ...compareLists(ours.items, theirs.items, toItemId, 'item', compareItem),
  ]
}

const compareItem = (ours: SubscriptionItem, theirs: SubscriptionItem, place: string): Found[] => [
  ...compareField('providerPriceId', ours.providerPriceId, theirs.providerPriceId, place),
  ...compareField('quantity', ours.quantity, theirs.quantity, place),
  ...compareField('currentPeriodStart', ours.currentPeriodStart, theirs.currentPeriodStart, place),
  ...compareField('currentPeriodEnd', ours.currentPeriodEnd, theirs.currentPeriodEnd, place),
]

type ComparedPrice = Omit<Price, 'priceId'>

const comparePrice = (ours: ComparedPrice, theirs: ComparedPrice, place: string): Found[] => [
  ...compareField('unitAmount', ours.unitAmount, theirs.unitAmount, place),
  ...compareField('currency', ours.currency, theirs.currency, place),
  ...compareField('isDefault', ours.isDefault, theirs.isDefault, place),
]
