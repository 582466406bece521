// What a checkout may do for a customer: sell a subscription, change the one there is, or neither.
import type { Catalogue, Price, Product } from '../catalogue/catalogue.ts'
import { conflict, quote } from '../errors.ts'
import type { SubscriptionPhase } from './subscription-phase.ts'

/** A subscription as it was fetched for this decision. */
export type Subscribed = {
  providerSubscriptionId: string
  phase: SubscriptionPhase
  isAwaitingFirstPayment: boolean
  isSetToCancel: boolean
  items: readonly SubscribedItem[]
}

type SubscribedItem = {
  itemId: string
  providerProductId: string
  currency: string | null
  quantity: number
  isMetered: boolean
}

export type PurchaseRequest = {
  product: Product
  price: Price
  quantity: number | undefined
  additional: boolean
}

/** To sell: without a quantity when metered. To change: this item of this subscription, to that many. */
export type Purchase =
  | { flow: 'checkout'; quantity: number | undefined }
  | { flow: 'change'; providerSubscriptionId: string; itemId: string; quantity: number }

/** Subscriptions that ended, or were never paid for, are not there. */
export function decidePurchase(
  catalogue: Catalogue,
  subscriptions: readonly Subscribed[],
  asked: PurchaseRequest,
): Purchase {
  const { product, price, quantity } = asked
  const sale: Purchase = { flow: 'checkout', quantity: price.isMetered ? undefined : (quantity ?? 1) }
  if (asked.additional) return sale
  const held = subscriptions.filter((each) => each.phase !== 'ended' && !each.isAwaitingFirstPayment)
  const isOfProduct = ({ providerProductId }: SubscribedItem) =>
    providerProductId === product.providerProductId
  if (held.some(({ items }) => items.some(isOfProduct))) throw alreadySubscribed(product)
  if (product.isAddOn) return sale
  const isOfMain = ({ providerProductId }: SubscribedItem) => {
    return catalogue.productsByProviderId.get(providerProductId)?.isAddOn === false
  }
  const main = held.filter(({ items }) => items.some(isOfMain))
  return main.length === 0 ? sale : decideChange(main, price, quantity)
}

function decideChange(main: Subscribed[], price: Price, quantity: number | undefined): Purchase {
  const [present, ...more] = main.filter(({ phase }) => phase === 'granting')
  if (!present) throw changeNotPossible('its subscription is not in force')
  if (more.length > 0) throw changeNotPossible('it has several subscriptions')
  const [item, ...others] = present.items
  if (!item || others.length > 0) throw changeNotPossible('its subscription has several items')
  if (item.isMetered) throw changeNotPossible('its subscription is metered')
  if (present.isSetToCancel) throw changeNotPossible('its subscription is set to cancel')
  if (price.isMetered) throw changeNotPossible('the new price is metered')
  if (price.currency !== item.currency) throw changeNotPossible('the new price is in another currency')
  const { providerSubscriptionId } = present
  return { flow: 'change', providerSubscriptionId, itemId: item.itemId, quantity: quantity ?? item.quantity }
}

const waysOut =
  'The customer portal (POST /v1/customers/{customerId}/customer_portal) manages what there is; additional: true sells another subscription beside it.'

const alreadySubscribed = ({ productKey }: Product) =>
  conflict('already_subscribed', `The customer subscribes to ${quote(productKey)} already. ${waysOut}`)

export const changeNotPossible = (reason: string) =>
  conflict('change_not_possible', `The customer cannot be moved to this product: ${reason}. ${waysOut}`)

export const changeTakesNoParams = () =>
  conflict(
    'change_takes_no_params',
    'checkoutSessionParams cannot be given where a subscription is changed: there is no checkout session. Leave them out, or send additional: true.',
  )
