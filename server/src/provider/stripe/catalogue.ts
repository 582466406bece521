// Reading products with all of their prices.
import type Stripe from 'stripe'
import type { ProviderPage, ProviderProduct } from '../provider.ts'
import { type Deadline, readAll } from './deadline.ts'
import { toProduct } from './objects.ts'

const pageSize = 100
/** Each product's prices are a request of their own: a page stays well within the deadline and the rate limit. */
const productPageSize = 10
const parallelRequests = 3

async function withPrices(
  stripe: Stripe,
  deadline: Deadline,
  product: Stripe.Product,
): Promise<ProviderProduct> {
  const filter = { product: product.id, limit: pageSize }
  const prices = await readAll((after) => stripe.prices.list({ ...filter, ...after }, deadline.request()))
  return toProduct(product, prices)
}

export async function readProduct(stripe: Stripe, deadline: Deadline, id: string): Promise<ProviderProduct> {
  return withPrices(stripe, deadline, await stripe.products.retrieve(id, {}, deadline.request()))
}

export async function readProductPage(
  stripe: Stripe,
  deadline: Deadline,
  cursor: string | undefined,
): Promise<ProviderPage<ProviderProduct>> {
  const after = cursor === undefined ? {} : { starting_after: cursor }
  const page = await stripe.products.list(
    { active: true, limit: productPageSize, ...after },
    deadline.request(),
  )
  const items: ProviderProduct[] = []
  for (let at = 0; at < page.data.length; at += parallelRequests) {
    const some = page.data.slice(at, at + parallelRequests)
    items.push(...(await Promise.all(some.map((product) => withPrices(stripe, deadline, product)))))
  }
  return { items, nextCursor: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
}
