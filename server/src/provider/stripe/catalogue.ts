// Reading products and prices: one product with all of its prices, or the two lists page by page.
import type Stripe from 'stripe'
import type { ListedProduct, ProviderPage, ProviderPrice, ProviderProduct } from '../provider.ts'
import { type Deadline, readAll } from './deadline.ts'
import { toListedProduct, toPrice, toProduct } from './objects.ts'
import { pageSize, startAfter, toPage } from './page.ts'

export async function readProduct(stripe: Stripe, deadline: Deadline, id: string): Promise<ProviderProduct> {
  const product = await stripe.products.retrieve(id, {}, deadline.request())
  const filter = { product: id, limit: pageSize }
  const prices = await readAll((after) => stripe.prices.list({ ...filter, ...after }, deadline.request()))
  return toProduct(product, prices)
}

export async function readProductPage(
  stripe: Stripe,
  deadline: Deadline,
  cursor: string | undefined,
): Promise<ProviderPage<ListedProduct>> {
  const filter = { active: true, ...startAfter(cursor) }
  return toPage(await stripe.products.list(filter, deadline.request()), toListedProduct)
}

export async function readPricePage(
  stripe: Stripe,
  deadline: Deadline,
  cursor: string | undefined,
): Promise<ProviderPage<ProviderPrice>> {
  return toPage(await stripe.prices.list(startAfter(cursor), deadline.request()), toPrice)
}
