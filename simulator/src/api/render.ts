// From stored objects to what the protocol shows: ours left out, prices put into subscription items, empty fields filled.
import type { Context } from '../context.ts'
import type { StoredItem, StoredPrice, StoredSubscription } from '../objects.ts'
import { addDefaults, itemDefaults } from './defaults.ts'

export type Rendered = { id: string; object: string; [field: string]: unknown }

type Body = { id: string; object: string }

function strip(body: Body): Rendered {
  const { internal: _, ...shown } = body as Rendered
  // Of a deleted object only the fact is told.
  if ('deleted' in shown) return { id: body.id, object: body.object, deleted: true }
  return addDefaults(shown)
}

/** The older form of a price, which items still carry. */
function toPlan(price: StoredPrice): Rendered {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: price.livemode,
    metadata: price.metadata,
    meter: price.recurring?.meter ?? null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: price.recurring?.usage_type ?? 'licensed',
  }
}

function renderItem(item: StoredItem, prices: Map<string, StoredPrice>): Rendered {
  const price = prices.get(item.price)
  if (price === undefined) throw new Error(`The price ${item.price} of an item is gone.`)
  return { ...itemDefaults, ...item, price: strip(price), plan: toPlan(price) }
}

/** Prices as they are now, so that an item shows its price's present `active`. */
async function findPrices(context: Context, priceIds: string[]): Promise<Map<string, StoredPrice>> {
  if (priceIds.length === 0) return new Map()
  const found = (await context.store.findObjects([...new Set(priceIds)])) as unknown as StoredPrice[]
  return new Map(found.map((price) => [price.id, price]))
}

export async function renderPrices(context: Context, priceIds: string[]): Promise<Map<string, Rendered>> {
  const prices = await findPrices(context, priceIds)
  return new Map([...prices].map(([id, price]) => [id, strip(price)]))
}

export async function render(context: Context, bodies: Body[]): Promise<Rendered[]> {
  const subscriptions = bodies.filter((body): body is StoredSubscription => body.object === 'subscription')
  const items = bodies.filter((body): body is StoredItem => body.object === 'subscription_item')
  const used = [...subscriptions.flatMap((subscription) => subscription.items.data), ...items]
  const prices = await findPrices(
    context,
    used.flatMap((item) => item.price ?? []),
  )
  return bodies.map((body) => {
    if (body.object === 'subscription_item' && 'price' in body) return renderItem(body as StoredItem, prices)
    if (body.object !== 'subscription') return strip(body)
    const { items } = body as StoredSubscription
    return { ...strip(body), items: { ...items, data: items.data.map((item) => renderItem(item, prices)) } }
  })
}
