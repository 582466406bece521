// The subscription item endpoints: items live inside their subscription, so each change is one of the subscription.
import { z } from 'zod'
import { listSimulatorObjects } from '../../storage/simulator.ts'
import { missing } from './errors.ts'
import { integer, text } from './form.ts'
import type { StoredItem, StoredSubscription } from './objects.ts'
import { noParams, paging, type Route, route } from './route.ts'
import { changeItems, type ItemChange } from './subscription-change.ts'
import { getObject, saveAndEmit, type World } from './world.ts'

async function getHolder(
  world: World,
  itemId: string,
): Promise<{ holder: StoredSubscription; item: StoredItem }> {
  const [found] = await listSimulatorObjects(world.sql, world.environment, {
    object: 'subscription',
    contains: { items: { data: [{ id: itemId }] } },
    limit: 1,
  })
  const holder = found as unknown as StoredSubscription | undefined
  const item = holder?.items.data.find((one) => one.id === itemId)
  if (holder === undefined || item === undefined) throw missing('subscription_item', itemId)
  return { holder, item }
}

async function change(world: World, holder: StoredSubscription, itemChange: ItemChange) {
  const changed = await changeItems(world, holder, [itemChange])
  await saveAndEmit(world, 'customer.subscription.updated', changed, holder)
  return changed
}

const quantity = integer.refine((count) => count >= 0).optional()
const proration = text.optional()

export const subscriptionItemRoutes: Route[] = [
  route(
    'GET',
    '/v1/subscription_items',
    z.strictObject({ ...paging, subscription: text }),
    async (world, _id, input) => {
      const { items } = await getObject<StoredSubscription>(
        world,
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
    async (world, id) => (await getHolder(world, id)).item,
  ),
  route(
    'POST',
    '/v1/subscription_items',
    z.strictObject({ subscription: text, price: text, quantity, proration_behavior: proration }),
    async (world, _id, input) => {
      const holder = await getObject<StoredSubscription>(
        world,
        'subscription',
        input.subscription,
        'subscription',
      )
      const changed = await change(world, holder, { price: input.price, quantity: input.quantity })
      return changed.items.data.at(-1) as StoredItem
    },
  ),
  route(
    'POST',
    '/v1/subscription_items/:id',
    z.strictObject({ price: text.optional(), quantity, proration_behavior: proration }),
    async (world, id, input) => {
      const { holder } = await getHolder(world, id)
      const changed = await change(world, holder, { id, price: input.price, quantity: input.quantity })
      return changed.items.data.find((item) => item.id === id) as StoredItem
    },
  ),
  route(
    'DELETE',
    '/v1/subscription_items/:id',
    z.strictObject({ proration_behavior: proration }),
    async (world, id) => {
      const { holder } = await getHolder(world, id)
      await change(world, holder, { id, deleted: true })
      return { id, object: 'subscription_item', deleted: true }
    },
  ),
]
