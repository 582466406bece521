// Checkouts of one customer at the same moment: one provider customer and one open session, over any number of instances.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../service.ts'
import { openShop, type Shop, stockShop } from './shop-fixture.ts'

let shop: Shop
before(async () => {
  // Instances of one installation share its public address.
  shop = await openShop({ instances: 2, variables: { PUBLIC_URL: 'https://pay.shop.example' } })
  await stockShop(shop)
})
after(() => shop.close())

const calls = 20

function checkout(customerId: string, n: number, instances: number, more: object = {}): Promise<Answer> {
  const body = { productKey: 'pro', customerInfo: { email: `${customerId}@example.com` }, ...more }
  return shop.post(`/v1/customers/${customerId}/checkout`, body, { instance: n % instances })
}

const atOnce = (call: (n: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: calls }, (_, n) => call(n)))

/** Provider customers of this customer, and the states of their sessions. */
async function look(customerId: string): Promise<{ customers: number; sessions: Record<string, number> }> {
  const { data } = await shop.stripe.customers.list({ limit: 100 })
  const ours = data.filter(({ metadata }) => metadata.tollkeeper_customer_id === customerId)
  const sessions: Record<string, number> = {}
  for (const { id } of ours) {
    const { data } = await shop.stripe.checkout.sessions.list({ customer: id, limit: 100 })
    for (const { status } of data) sessions[String(status)] = (sessions[String(status)] ?? 0) + 1
  }
  return { customers: ours.length, sessions }
}

function assertShared(answers: Answer[]): string {
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const urls = new Set(answers.map(({ body }) => body.url as string))
  assert.equal(urls.size, 1)
  return [...urls][0] as string
}

for (const instances of [1, 2]) {
  describe(`${calls} checkouts at once over ${instances === 1 ? 'one instance' : 'two instances'}`, () => {
    it('of a new customer: one provider customer, one open session, one address for all', async () => {
      assertShared(await atOnce((n) => checkout(`new-${instances}`, n, instances)))
      assert.deepEqual(await look(`new-${instances}`), { customers: 1, sessions: { open: 1 } })
    })

    it('after the shared session was closed: one new one for all', async () => {
      const customerId = `again-${instances}`
      const old = assertShared([await checkout(customerId, 0, 1)])
      await shop.stripe.checkout.sessions.expire(old.split('/').at(-1) ?? '')
      const url = assertShared(await atOnce((n) => checkout(customerId, n, instances)))
      assert.notEqual(url, old)
      assert.deepEqual(await look(customerId), { customers: 1, sessions: { open: 1, expired: 1 } })
    })

    it('that all differ: one session stays open', async () => {
      const customerId = `differ-${instances}`
      const answers = await atOnce((n) => checkout(customerId, n, instances, { metadata: { n: String(n) } }))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      const { customers, sessions } = await look(customerId)
      assert.deepEqual([customers, sessions.open], [1, 1])
    })
  })
}

describe('checkouts over instances that are reached under addresses of their own', () => {
  it('are not equal: each leads back to where it was asked for, and the last stays open', async () => {
    const apart = await openShop({ instances: 2 })
    try {
      await stockShop(apart)
      const sessions = []
      for (const instance of [0, 1, 0]) {
        const body = { productKey: 'pro', customerInfo: {} }
        const { status, body: made, text } = await apart.post('/v1/customers/x/checkout', body, { instance })
        assert.equal(status, 200, text)
        const session = await apart.stripe.checkout.sessions.retrieve(made.url.split('/').at(-1))
        assert.equal(new URL(session.success_url ?? '').port, new URL(apart.urls[instance] as string).port)
        sessions.push(session.id)
      }
      const states = await Promise.all(sessions.map((id) => apart.stripe.checkout.sessions.retrieve(id)))
      assert.deepEqual(
        states.map(({ status }) => status),
        ['expired', 'expired', 'open'],
      )
    } finally {
      await apart.close()
    }
  })
})
