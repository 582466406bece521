// From stored objects to what the protocol shows: ours left out, prices put into subscription items, empty fields filled.

import type { Context } from '../context.ts'
import type { StoredItem, StoredPrice, StoredSubscription } from '../objects.ts'

export type Rendered = { id: string; object: string; [field: string]: unknown }

/** Fields that clients expect to be there and that the simulator has no use for. */
const unused: Record<string, Record<string, unknown>> = {
  customer: {
    balance: 0,
    currency: null,
    delinquent: false,
    address: null,
    shipping: null,
    test_clock: null,
  },
  product: { images: [], marketing_features: [], package_dimensions: null, tax_code: null, url: null },
  price: { billing_scheme: 'per_unit', tiers_mode: null, custom_unit_amount: null, transform_quantity: null },
  subscription: {
    billing_mode: { type: 'classic' },
    collection_method: 'charge_automatically',
    default_source: null,
    discounts: [],
    latest_invoice: null,
    schedule: null,
    test_clock: null,
  },
  'checkout.session': { payment_method_types: ['card'], ui_mode: 'hosted_page', invoice: null, locale: null },
}

type Body = { id: string; object: string }

function strip(body: Body): Rendered {
  const { internal: _, ...shown } = body as Rendered
  return 'deleted' in shown ? shown : { ...unused[body.object], ...shown }
}

export function renderItem(item: StoredItem, prices: Map<string, Rendered>): Rendered {
  return { ...item, price: prices.get(item.price), discounts: [], tax_rates: [], billing_thresholds: null }
}

/** Prices as they are now, so that an item shows its price's present `active`. */
export async function renderPrices(context: Context, priceIds: string[]): Promise<Map<string, Rendered>> {
  if (priceIds.length === 0) return new Map()
  const found = await context.store.findObjects([...new Set(priceIds)])
  return new Map(found.map((body) => [body.id, strip(body as unknown as StoredPrice)]))
}

export async function render(context: Context, bodies: Body[]): Promise<Rendered[]> {
  const subscriptions = bodies.filter((body): body is StoredSubscription => body.object === 'subscription')
  const items = bodies.filter((body): body is StoredItem => body.object === 'subscription_item')
  const used = [...subscriptions.flatMap((subscription) => subscription.items.data), ...items]
  const prices = await renderPrices(
    context,
    used.map((item) => item.price),
  )
  return bodies.map((body) => {
    if (body.object === 'subscription_item' && 'price' in body) return renderItem(body as StoredItem, prices)
    if (body.object !== 'subscription') return strip(body)
    const { items } = body as StoredSubscription
    return { ...strip(body), items: { ...items, data: items.data.map((item) => renderItem(item, prices)) } }
  })
}
