// `expand[]`: puts whole objects where the answer has only their ids.
import { findSimulatorObjects } from '../../storage/simulator.ts'
import { ApiError } from './errors.ts'
import type { StoredSession } from './objects.ts'
import { type Rendered, render, renderPrices } from './render.ts'
import { getObject, listOwned, type World } from './world.ts'

const maxDepth = 4

async function renderLines(world: World, sessionId: string): Promise<unknown> {
  const { internal } = await getObject<StoredSession>(world, 'checkout.session', sessionId)
  const prices = await renderPrices(
    world,
    internal.lines.map((line) => line.price),
  )
  const data = internal.lines.map(({ price, quantity }, index) => ({
    id: `li_${sessionId.slice(-20)}${index}`,
    object: 'item',
    price: prices.get(price),
    quantity,
  }))
  return { object: 'list', data, has_more: false, url: `/v1/checkout/sessions/${sessionId}/line_items` }
}

/** Fields that appear only when asked for. */
async function findHidden(world: World, parent: Rendered, field: string): Promise<unknown> {
  if (parent.object === 'checkout.session' && field === 'line_items') return renderLines(world, parent.id)
  if (parent.object === 'customer' && field === 'subscriptions') {
    const data = await render(world, await listOwned(world, 'subscription', parent.id))
    return { object: 'list', data, has_more: false, url: `/v1/customers/${parent.id}/subscriptions` }
  }
  throw new ApiError(`This property cannot be expanded (${field}).`, { param: 'expand' })
}

async function expandField(world: World, parent: Rendered, field: string, rest: string[]): Promise<void> {
  let value = parent[field]
  if (value === undefined) value = await findHidden(world, parent, field)
  if (typeof value === 'string') {
    const found = await findSimulatorObjects(world.sql, world.environment, [value])
    if (found.length === 0) {
      throw new ApiError(`This property cannot be expanded (${field}).`, { param: 'expand' })
    }
    value = (await render(world, found))[0]
  }
  parent[field] = value
  const [next, ...after] = rest
  if (next === undefined || value === null) return
  for (const child of Array.isArray(value) ? value : [value]) await expandField(world, child, next, after)
}

export async function expand(world: World, answer: Rendered, paths: string[]): Promise<void> {
  for (const path of paths) {
    const [field = '', ...rest] = path.split('.')
    if (rest.length >= maxDepth + 1) {
      throw new ApiError(`You cannot expand more than ${maxDepth} levels of a property.`, { param: 'expand' })
    }
    await expandField(world, answer, field, rest)
  }
}
