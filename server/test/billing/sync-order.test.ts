// Fetches that overtake one another: what was asked for earlier never overwrites what was asked for later.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { getProvider } from '../../src/operations/billing/get-provider.ts'
import { syncCustomer } from '../../src/operations/billing/sync-customer.ts'
import { syncProduct } from '../../src/operations/products/sync-product.ts'
import type { Provider } from '../../src/provider/provider.ts'
import type { Service } from '../../src/service.ts'
import { addPayer, linkNew, openShop, type Shop, stockShop } from './shop-fixture.ts'

let shop: Shop
let pro: Awaited<ReturnType<typeof stockShop>>
before(async () => {
  shop = await openShop()
  pro = await stockShop(shop)
})
after(() => shop.close())

/** Runs a sync whose answer from the provider is held back until `meanwhile` is over. */
async function overtake(
  method: 'getCustomerState' | 'getProduct',
  sync: (services: Service['services']) => Promise<void>,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const { services } = shop.instances[0] as Service
  const release = Promise.withResolvers<void>()
  const fetched = Promise.withResolvers<void>()
  const held = async (id: string) => {
    const answer = await getProvider(services, 'test')[method](id)
    fetched.resolve()
    await release.promise
    return answer
  }
  const slow = { ...getProvider(services, 'test'), [method]: held } as Provider
  const late = sync({ ...services, providers: { ...services.providers, test: slow } })
  await fetched.promise
  await meanwhile()
  release.resolve()
  await late
}

describe('an older fetch that arrives later', () => {
  it('of a customer changes nothing', async () => {
    const customer = await addPayer(shop, 'ada')
    shop.simulator.faults.onEvent = () => []
    const { services } = shop.instances[0] as Service
    await overtake(
      'getCustomerState',
      async (slow) => {
        await syncCustomer(slow, 'test', customer)
      },
      async () => {
        await shop.stripe.subscriptions.create({ customer, items: [{ price: pro.priceId }] })
        await syncCustomer(services, 'test', customer)
      },
    )
    assert.equal((await shop.get('/v1/customers/ada')).body.products[0].key, 'pro')
  })

  it('of a customer that was deleted and made anew changes nothing', async () => {
    const customer = await addPayer(shop, 'eve')
    shop.simulator.faults.onEvent = () => []
    await shop.stripe.subscriptions.create({ customer, items: [{ price: pro.priceId }] })
    await overtake(
      'getCustomerState',
      async (slow) => {
        await syncCustomer(slow, 'test', customer)
      },
      async () => {
        await shop.request('DELETE', '/v1/customers/eve')
        assert.equal((await shop.post('/v1/customers', { customerId: 'eve' })).status, 201)
      },
    )
    assert.equal((await shop.get('/v1/customers/eve')).body.products[0].key, 'free')
  })

  it('of a product changes nothing', async () => {
    const { productId } = await linkNew(shop, 'named', 100)
    shop.simulator.faults.onEvent = () => []
    await overtake(
      'getProduct',
      (slow) => syncProduct(slow, 'test', productId),
      async () => {
        await shop.stripe.products.update(productId, { name: 'Newer' })
        await shop.post('/v1/products/sync')
      },
    )
    assert.equal((await shop.get('/v1/products/named')).body.name, 'Newer')
  })
})
