// A process that dies while it closes the session of a superseded checkout: the next one closes it, so that one stays open.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startChildService } from '../races/child-service.ts'
import { holdLock } from '../races/held-lock.ts'
import { eventually, openShop, type Shop, stockShop } from './shop-fixture.ts'

let shop: Shop
before(async () => {
  shop = await openShop()
  await stockShop(shop)
})
after(() => shop.close())

const sessionOf = (url: string) => url.split('/').at(-1) as string

async function listOpen(customer: string): Promise<string[]> {
  const { data } = await shop.stripe.checkout.sessions.list({ customer, limit: 100 })
  return data.filter(({ status }) => status === 'open').map(({ id }) => id)
}

describe('a process that dies between taking over a superseded checkout and closing its session', () => {
  it('leaves no session open for good: another checkout closes it', async () => {
    const { body } = await shop.post('/v1/customers', { customerId: 'ada' })
    const customer: string = body.providerCustomerId
    const checkout = (n: number) => ({ productKey: 'pro', metadata: { wish: String(n) } })
    const first = await shop.post('/v1/customers/ada/checkout', checkout(1))
    const oldSession = sessionOf(first.body.url)

    // Closing the first one's session waits at the provider, where the second's is made without hindrance.
    const lock = await holdLock(shop, 'select from simulator_object where id = $1 for update', [oldSession])
    const child = await startChildService(shop)
    const second = child.request('POST', '/v1/customers/ada/checkout', checkout(2)).catch(() => undefined)
    await eventually(
      () =>
        shop.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%simulator_object%'`,
        ),
      (waiting) => assert.equal(waiting.length, 1),
    )
    await child.kill()
    await lock.release()
    await second
    assert.equal((await listOpen(customer)).length, 2)

    // A lease may have to run out first.
    await eventually(
      async () => {
        const again = await shop.post('/v1/customers/ada/checkout', checkout(3))
        assert.equal(again.status, 200, again.text)
        return { open: await listOpen(customer), wanted: [sessionOf(again.body.url)] }
      },
      ({ open, wanted }) => assert.deepEqual(open, wanted),
      45_000,
    )
  })
})
