// What the items of a subscription cost: a period's amount, and the difference a change makes within a period. Pure.
import type { StoredItem, StoredPrice, StoredSubscription } from '../objects.ts'
import { computePeriod } from './billing-cycle.ts'

export type InvoiceLine = {
  price: StoredPrice
  itemId: string
  quantity: number | null
  amount: number
  description: string
  period: { start: number; end: number }
  isProration: boolean
}

export type Prices = Map<string, StoredPrice>

function getPrice(prices: Prices, id: string): StoredPrice {
  const price = prices.get(id)
  if (price === undefined) throw new Error(`The price ${id} was not loaded.`)
  return price
}

/** A metered item costs nothing beforehand, and usage is not simulated. */
export function computeAmount(price: StoredPrice, quantity: number | undefined): number {
  return quantity === undefined ? 0 : Math.round(Number(price.unit_amount_decimal ?? 0) * quantity)
}

const toPeriod = (item: StoredItem) => ({ start: item.current_period_start, end: item.current_period_end })

function toLine(
  price: StoredPrice,
  item: StoredItem,
  amount: number,
  change: Pick<InvoiceLine, 'description' | 'period' | 'isProration'>,
): InvoiceLine {
  return { price, itemId: item.id, quantity: item.quantity ?? null, amount, ...change }
}

/** The lines of a whole period; a trial costs nothing. */
export function computePeriodLines(subscription: StoredSubscription, prices: Prices): InvoiceLine[] {
  const isTrial = subscription.status === 'trialing'
  return subscription.items.data.map((item) => {
    const price = getPrice(prices, item.price)
    const amount = isTrial ? 0 : computeAmount(price, item.quantity)
    const description = isTrial ? 'Trial period' : `${item.quantity ?? 0} × ${price.nickname ?? price.id}`
    return toLine(price, item, amount, { description, period: toPeriod(item), isProration: false })
  })
}

/** How much of its period an item still has before it; of the whole period, also where the item came later. */
function computeShare(
  subscription: StoredSubscription,
  price: StoredPrice,
  item: StoredItem,
  now: number,
): number {
  if (price.recurring === null) return 0
  const { start, end } = computePeriod(subscription.billing_cycle_anchor, price.recurring, now)
  return Math.min(1, Math.max(0, (item.current_period_end - now) / (end - start)))
}

/** What is given back for the unused time of what changed, and charged for the time that is left or the cycle that begins. */
export function computeProration(
  before: StoredSubscription,
  after: StoredSubscription,
  prices: Prices,
  now: number,
): InvoiceLine[] {
  if (before.status === 'trialing' && after.status === 'trialing') return []
  const isSame = (one: StoredItem, other: StoredItem | undefined) =>
    other !== undefined &&
    one.price === other.price &&
    one.quantity === other.quantity &&
    one.current_period_end === other.current_period_end
  const find = (items: StoredItem[], id: string) => items.find((item) => item.id === id)
  const credits = before.items.data
    .filter((item) => before.status !== 'trialing' && !isSame(item, find(after.items.data, item.id)))
    .map((item) => {
      const price = getPrice(prices, item.price)
      const amount =
        0 - Math.round(computeAmount(price, item.quantity) * computeShare(before, price, item, now))
      const period = { start: now, end: item.current_period_end }
      return toLine(price, item, amount, { description: 'Unused time', period, isProration: true })
    })
  const charges = after.items.data
    .filter((item) => !isSame(item, find(before.items.data, item.id)))
    .map((item) => {
      const price = getPrice(prices, item.price)
      const was = find(before.items.data, item.id)
      const begins = was !== undefined && was.current_period_end !== item.current_period_end
      const amount = Math.round(
        computeAmount(price, item.quantity) * (begins ? 1 : computeShare(after, price, item, now)),
      )
      const period = { start: now, end: item.current_period_end }
      const description = begins ? 'New billing period' : 'Remaining time'
      return toLine(price, item, amount, { description, period, isProration: !begins })
    })
  return [...credits, ...charges]
}

type ProrationBehavior = 'create_prorations' | 'none' | 'always_invoice'

/**
 * The lines that are charged at once. Prorations that wait for the next invoice are not simulated; a cycle that begins anew is
 * charged at once in any case, and without prorations nothing is given back for the old one.
 */
export function selectDueNow(lines: InvoiceLine[], behavior: ProrationBehavior): InvoiceLine[] {
  if (behavior === 'always_invoice') return lines
  if (!lines.some((line) => !line.isProration)) return []
  return behavior === 'none' ? lines.filter((line) => !line.isProration) : lines
}

export const sumLines = (lines: InvoiceLine[]): number => lines.reduce((sum, line) => sum + line.amount, 0)
