// The subscription item endpoints: items live inside their subscription, so each change is one of the subscription.
import { z } from 'zod'
import { missing } from '../api/errors.ts'
import { ignored, text } from '../api/form.ts'
import { noParams, paging, type Route, route } from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { saveAndEmit } from '../events/record.ts'
import type { StoredItem, StoredSubscription } from '../objects.ts'
import { changeItems, type ItemChange } from './change.ts'
import { prorationBehavior, quantity } from './params.ts'

async function getHolder(
  context: Context,
  itemId: string,
): Promise<{ holder: StoredSubscription; item: StoredItem }> {
  const [found] = await context.store.listObjects({
    object: 'subscription',
    contains: { items: { data: [{ id: itemId }] } },
    limit: 1,
  })
  const holder = found as unknown as StoredSubscription | undefined
  const item = holder?.items.data.find((one) => one.id === itemId)
  if (holder === undefined || item === undefined) throw missing('subscription_item', itemId)
  return { holder, item }
}

async function change(context: Context, holder: StoredSubscription, itemChange: ItemChange) {
  const changed = await changeItems(context, holder, [itemChange])
  await saveAndEmit(context, 'customer.subscription.updated', changed, holder)
  return changed
}

const options = {
  proration_behavior: prorationBehavior.optional(),
  payment_behavior: text.optional(),
  metadata: ignored,
}

export const subscriptionItemRoutes: Route[] = [
  route(
    'GET',
    '/v1/subscription_items',
    z.strictObject({ ...paging, subscription: text }),
    async (context, _id, input) => {
      const { items } = await getObject<StoredSubscription>(
        context,
        'subscription',
        input.subscription,
        'subscription',
      )
      const from = items.data.findIndex((item) => item.id === input.starting_after) + 1
      const list = items.data.slice(from, from + input.limit)
      return { list, hasMore: items.data.length > from + list.length }
    },
  ),
  route(
    'GET',
    '/v1/subscription_items/:id',
    noParams,
    async (context, id) => (await getHolder(context, id)).item,
  ),
  route(
    'POST',
    '/v1/subscription_items',
    z.strictObject({ subscription: text, price: text, quantity: quantity.optional(), ...options }),
    async (context, _id, input) => {
      const holder = await getObject<StoredSubscription>(
        context,
        'subscription',
        input.subscription,
        'subscription',
      )
      const changed = await change(context, holder, { price: input.price, quantity: input.quantity })
      return changed.items.data.at(-1) as StoredItem
    },
  ),
  route(
    'POST',
    '/v1/subscription_items/:id',
    z.strictObject({ price: text.optional(), quantity: quantity.optional(), ...options }),
    async (context, id, input) => {
      const { holder } = await getHolder(context, id)
      const changed = await change(context, holder, { id, price: input.price, quantity: input.quantity })
      return changed.items.data.find((item) => item.id === id) as StoredItem
    },
  ),
  route('DELETE', '/v1/subscription_items/:id', z.strictObject({ ...options }), async (context, id) => {
    const { holder } = await getHolder(context, id)
    await change(context, holder, { id, deleted: true })
    return { id, object: 'subscription_item', deleted: true }
  }),
]
