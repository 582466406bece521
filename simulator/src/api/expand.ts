// `expand[]`: puts whole objects where the answer has only their ids.

import { type Context, getObject, listOwned } from '../context.ts'
import type { StoredSession } from '../hosted-objects.ts'
import type { StoredPrice } from '../objects.ts'
import { computeAmount } from '../subscriptions/amounts.ts'
import { ApiError } from './errors.ts'
import { type Rendered, render, renderPrices } from './render.ts'

const maxDepth = 4

async function renderLines(context: Context, sessionId: string): Promise<unknown> {
  const { internal } = await getObject<StoredSession>(context, 'checkout.session', sessionId)
  const prices = await renderPrices(
    context,
    internal.lines.map((line) => line.price),
  )
  const data = internal.lines.map(({ price: priceId, quantity }, index) => {
    const price = prices.get(priceId)
    const amount = computeAmount(price as unknown as StoredPrice, quantity)
    return {
      id: `li_${sessionId.slice(-20)}${index}`,
      object: 'item',
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: amount,
      amount_tax: 0,
      amount_total: amount,
      currency: price?.currency,
      description: price?.nickname ?? null,
      metadata: {},
      price,
      quantity: quantity ?? null,
    }
  })
  return { object: 'list', data, has_more: false, url: `/v1/checkout/sessions/${sessionId}/line_items` }
}

/** Fields that appear only when asked for. */
async function findHidden(context: Context, parent: Rendered, field: string): Promise<unknown> {
  if (parent.object === 'checkout.session' && field === 'line_items') return renderLines(context, parent.id)
  if (parent.object === 'customer' && field === 'subscriptions') {
    const data = await render(context, await listOwned(context, 'subscription', parent.id))
    return { object: 'list', data, has_more: false, url: `/v1/customers/${parent.id}/subscriptions` }
  }
  throw new ApiError(`This property cannot be expanded (${field}).`, { param: 'expand' })
}

async function expandField(context: Context, parent: Rendered, field: string, rest: string[]): Promise<void> {
  let value = parent[field]
  if (value === undefined) value = await findHidden(context, parent, field)
  if (typeof value === 'string') {
    const found = await context.store.findObjects([value])
    if (found.length === 0) {
      throw new ApiError(`This property cannot be expanded (${field}).`, { param: 'expand' })
    }
    value = (await render(context, found))[0]
  }
  parent[field] = value
  const [next, ...after] = rest
  if (next === undefined || value === null) return
  for (const child of Array.isArray(value) ? value : [value]) await expandField(context, child, next, after)
}

export async function expand(context: Context, answer: Rendered, paths: string[]): Promise<void> {
  for (const path of paths) {
    const [field = '', ...rest] = path.split('.')
    if (rest.length >= maxDepth + 1) {
      throw new ApiError(`You cannot expand more than ${maxDepth} levels of a property.`, { param: 'expand' })
    }
    await expandField(context, answer, field, rest)
  }
}
