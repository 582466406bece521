// A stocked shop at its till: customers, their checkouts, and the sessions behind them.
import assert from 'node:assert/strict'
import { openShop, stockShop } from './shop-fixture.ts'

export async function openTill() {
  const shop = await openShop()
  const pro = await stockShop(shop)
  let count = 0
  const newId = () => `customer-${++count}`
  const path = (customerId: string) => `/v1/customers/${encodeURIComponent(customerId)}/checkout`
  const checkout = (customerId: string, body: object = {}) =>
    shop.post(path(customerId), { productKey: 'pro', ...body })

  async function addCustomer(
    fields: object = {},
  ): Promise<{ customerId: string; providerCustomerId: string }> {
    const { status, body } = await shop.post('/v1/customers', { customerId: newId(), ...fields })
    assert.equal(status, 201)
    return body
  }

  /** The session behind a checkout's address. */
  const readSession = (url: string) => shop.stripe.checkout.sessions.retrieve(url.split('/').at(-1) ?? '')

  async function startSession(customerId: string, body: object = {}) {
    const answer = await checkout(customerId, body)
    assert.equal(answer.status, 200, answer.text)
    return readSession(answer.body.url)
  }

  return { shop, pro, newId, path, checkout, addCustomer, readSession, startSession }
}
