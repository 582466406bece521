// A stocked shop whose clock stands at the end of January 2027, with subscribers and what they hold.
import assert from 'node:assert/strict'
import type Stripe from 'stripe'
import { addPayer, eventually, openShop, stockShop } from './shop-fixture.ts'

export const at = (date: string) => Date.parse(date)
export const start = at('2027-01-31T12:00:00Z')
export const free = ['free', 'active']

export async function openSubscriptions() {
  const shop = await openShop()
  await setClock(start)
  const pro = await stockShop(shop)

  async function setClock(now: number): Promise<void> {
    assert.equal((await shop.put('/v1/test-clock', { now })).status, 200)
  }

  const read = async (customerId: string) => (await shop.get(`/v1/customers/${customerId}`)).body

  /** The products held, as the named fields of each. */
  const held = async (customerId: string, ...fields: string[]) =>
    (await read(customerId)).products.map((product: Record<string, unknown>) =>
      ['key', 'status', ...fields].map((field) => product[field]),
    )

  const become = (customerId: string, wanted: unknown[][], ...fields: string[]) =>
    eventually(
      () => held(customerId, ...fields),
      (products) => assert.deepEqual(products, wanted),
    )

  let count = 0
  async function subscribe(params: Partial<Stripe.SubscriptionCreateParams> = {}, card = 'pm_card_visa') {
    const customerId = `subscriber-${++count}`
    const customer = await addPayer(shop, customerId, card)
    const made = await shop.stripe.subscriptions.create({
      customer,
      items: [{ price: pro.priceId }],
      ...params,
    })
    return { customerId, customer, subscriptionId: made.id, itemId: made.items.data[0]?.id ?? '' }
  }

  return { shop, pro, setClock, read, held, become, subscribe }
}
