// The product of a first catalogue, made as an account's owner would make it.
import { openStripe, type StripeAddress } from './client.ts'

/** Pro, monthly by default and yearly; gives its id. */
export async function createExampleProduct(secretKey: string, address: StripeAddress): Promise<string> {
  const stripe = openStripe(secretKey, address)
  const { id: product } = await stripe.products.create({ name: 'Pro', metadata: { product_key: 'pro' } })
  const price = (unit_amount: number, interval: 'month' | 'year') =>
    stripe.prices.create({ product, currency: 'usd', unit_amount, recurring: { interval } })
  const monthly = await price(2_900, 'month')
  await price(29_000, 'year')
  await stripe.products.update(product, { default_price: monthly.id })
  return product
}
