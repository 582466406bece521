// Provider products: linking one, importing all, and how they follow the provider.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addPayer, eventually, linkNew, openShop, type Shop } from './shop-fixture.ts'

let shop: Shop
before(async () => {
  shop = await openShop()
})
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

const monthly = { interval: 'month' } as const
const readProduct = (productKey: string) => shop.get(`/v1/products/${productKey}`)

describe('POST /v1/products', () => {
  it('links a product with all of its prices: 201', async () => {
    const product = await shop.stripe.products.create({
      name: 'Starter',
      default_price_data: { currency: 'usd', unit_amount: 900, recurring: monthly },
    })
    const fractions = { product: product.id, currency: 'eur', unit_amount_decimal: '0.5', recurring: monthly }
    const fine = await shop.stripe.prices.create(fractions as never)
    const once = await shop.stripe.prices.create({ product: product.id, currency: 'jpy', unit_amount: 100 })
    const { status, body } = await shop.post('/v1/products', {
      productKey: 'starter',
      providerProductId: product.id,
    })
    assert.equal(status, 201)
    assert.deepEqual(
      [body.key, body.name, body.type, body.isDefault, body.version, body.providerProductId],
      ['starter', 'Starter', 'provider', false, 1, product.id],
    )
    assert.deepEqual([body.metadata, body.featureAccess], [{}, []])
    const prices = new Map<string, Record<string, unknown>>(
      body.prices.map((price: { providerPriceId: string }) => [price.providerPriceId, price]),
    )
    assert.equal(prices.size, 3)
    const common = { isActive: true, recurringIntervalCount: 1, recurringInterval: 'month' }
    const find = (id: string) => {
      const { id: ours, providerPriceId, ...rest } = prices.get(id) ?? {}
      assert.ok(ours)
      assert.equal(providerPriceId, id)
      return rest
    }
    const standard = { ...common, currency: 'usd', unitAmount: 900, isDefault: true }
    assert.deepEqual(find(String(product.default_price)), standard)
    assert.deepEqual(find(fine.id), { ...common, currency: 'eur', unitAmount: 0.5, isDefault: false })
    const oneTime = {
      recurringInterval: null,
      recurringIntervalCount: null,
      isActive: true,
      isDefault: false,
    }
    assert.deepEqual(find(once.id), { ...oneTime, currency: 'jpy', unitAmount: 100 })
  })

  it('400 for a product the provider does not have or has made inactive, and for wrong input', async () => {
    const unknown = await shop.post('/v1/products', { productKey: 'x', providerProductId: 'prod_nowhere' })
    assert.deepEqual([unknown.status, /no product "prod_nowhere"/.test(unknown.body.error)], [400, true])
    const inactive = await shop.stripe.products.create({ name: 'Gone', active: false })
    const gone = await shop.post('/v1/products', { productKey: 'x', providerProductId: inactive.id })
    assert.deepEqual([gone.status, /not active/.test(gone.body.error)], [400, true])
    for (const body of [{}, { productKey: 'x' }, { productKey: 'a b', providerProductId: 'prod_1' }]) {
      assert.equal((await shop.post('/v1/products', body)).status, 400)
    }
  })

  it('409 for a taken key and for a product that is linked already', async () => {
    const { productId } = await linkNew(shop, 'taken', 100)
    const twice = await shop.post('/v1/products', { productKey: 'again', providerProductId: productId })
    assert.deepEqual([twice.status, twice.headers['x-error-code']], [409, 'provider_product_linked'])
    const other = await shop.stripe.products.create({ name: 'Other' })
    const taken = await shop.post('/v1/products', { productKey: 'taken', providerProductId: other.id })
    assert.deepEqual([taken.status, taken.headers['x-error-code']], [409, 'product_key_taken'])
  })

  it('409 for all but one of many at once', async () => {
    const product = await shop.stripe.products.create({ name: 'Race' })
    const link = (n: number) =>
      shop.post('/v1/products', { productKey: `race-${n}`, providerProductId: product.id })
    const statuses = (await Promise.all([1, 2, 3, 4].map(link))).map((answer) => answer.status)
    assert.deepEqual(statuses.sort(), [201, 409, 409, 409])
  })

  it('502 when the provider fails', async () => {
    shop.simulator.faults.onRequest = () => 'server_error'
    const answer = await shop.post('/v1/products', { productKey: 'later', providerProductId: 'prod_x' })
    assert.equal(answer.status, 502)
  })
})

describe('POST /v1/products/sync', () => {
  it('imports all active products, keyed by metadata, else by a slug of the name, never one key twice', async () => {
    const make = (name: string, metadata = {}) => shop.stripe.products.create({ name, metadata })
    await make('Team Plan – Größe L')
    await make('Team plan: grosse l')
    await make('Keyed', { product_key: 'my.key:1' })
    await make('Badly keyed', { product_key: 'not a key' })
    await shop.stripe.products.create({ name: 'Hidden', active: false })
    const { status, body } = await shop.post('/v1/products/sync')
    assert.equal(status, 200)
    const keys: string[] = body.products.map((product: { key: string }) => product.key)
    for (const key of ['team-plan-gro-e-l', 'team-plan-grosse-l', 'my.key:1', 'badly-keyed']) {
      assert.ok(keys.includes(key), `${key} of ${keys}`)
    }
    assert.ok(!keys.includes('hidden'))
    assert.equal(new Set(keys).size, keys.length)
    const again = await shop.post('/v1/products/sync')
    assert.deepEqual(again.body, body)
  })

  it('numbers a key that is taken', async () => {
    await shop.post('/v1/custom-products', { productKey: 'solo', name: 'Mine' })
    await shop.stripe.products.create({ name: 'Solo' })
    await shop.post('/v1/products/sync')
    assert.equal((await readProduct('solo-2')).body.name, 'Solo')
  })

  it('reads more products than a page has', async () => {
    for (let n = 0; n < 12; n++) await shop.stripe.products.create({ name: `Many ${n}` })
    await shop.post('/v1/products/sync')
    for (let n = 0; n < 12; n++) assert.equal((await readProduct(`many-${n}`)).status, 200)
  })

  it('brings known ones up to date when no event came', async () => {
    const { productId, priceId } = await linkNew(shop, 'stale', 100)
    shop.simulator.faults.onEvent = () => []
    await shop.stripe.products.update(productId, { name: 'Fresh', default_price: '' })
    await shop.stripe.prices.update(priceId, { active: false })
    await shop.post('/v1/products/sync')
    const { body } = await readProduct('stale')
    assert.deepEqual([body.name, body.prices[0].isActive, body.prices[0].isDefault], ['Fresh', false, false])
  })

  it('502 when the provider fails, and nothing is changed', async () => {
    shop.simulator.faults.onRequest = () => 'rate_limited'
    assert.equal((await shop.post('/v1/products/sync')).status, 502)
  })

  it('403 with a key that only reads', async () => {
    assert.equal((await shop.post('/v1/products/sync', undefined, { key: shop.keys.testRead })).status, 403)
  })
})

describe('a linked product', () => {
  it('follows name, prices and default by itself; a price keeps its id', async () => {
    const { productId, priceId } = await linkNew(shop, 'follows', 100)
    const before = (await readProduct('follows')).body.prices[0]
    const dearer = await shop.stripe.prices.create({
      product: productId,
      currency: 'usd',
      unit_amount: 200,
      recurring: monthly,
    })
    await shop.stripe.products.update(productId, { name: 'Renamed', default_price: dearer.id })
    await shop.stripe.prices.update(priceId, { active: false })
    const { body } = await eventually(
      () => readProduct('follows'),
      ({ body }) => {
        assert.equal(body.name, 'Renamed')
        assert.deepEqual(
          body.prices.map((price: Record<string, unknown>) => [
            price.providerPriceId,
            price.unitAmount,
            price.isActive,
            price.isDefault,
          ]),
          [
            [priceId, 100, false, false],
            [dearer.id, 200, true, true],
          ],
        )
      },
    )
    assert.equal(body.prices[0].id, before.id)
  })

  it('made inactive there is archived here, and comes back', async () => {
    const { productId } = await linkNew(shop, 'seasonal', 100)
    await shop.stripe.products.update(productId, { active: false })
    await eventually(
      () => readProduct('seasonal'),
      ({ status }) => assert.equal(status, 404),
    )
    await shop.stripe.products.update(productId, { active: true })
    await eventually(
      () => readProduct('seasonal'),
      ({ status }) => assert.equal(status, 200),
    )
  })

  it('archived here stays so, whatever the provider does', async () => {
    const { productId } = await linkNew(shop, 'retired', 100)
    await shop.post('/v1/products/retired/archive', { archived: true })
    await shop.stripe.products.update(productId, { active: false })
    await shop.stripe.products.update(productId, { name: 'Off' })
    await shop.stripe.products.update(productId, { active: true, name: 'On' })
    await eventually(
      () => shop.get('/v1/products?includeArchived=true&type=provider&limit=100'),
      ({ body }) => assert.ok(body.products.some(({ name }: { name: string }) => name === 'On')),
    )
    assert.equal((await readProduct('retired')).status, 404)
  })

  it('deleted there is archived here with its prices inactive', async () => {
    const product = await shop.stripe.products.create({ name: 'Short' })
    await shop.post('/v1/products', { productKey: 'short', providerProductId: product.id })
    await shop.stripe.products.del(product.id)
    await eventually(
      () => readProduct('short'),
      ({ status }) => assert.equal(status, 404),
    )
  })

  it('archived, keeps its holders and their access', async () => {
    const { productId, priceId } = await linkNew(shop, 'kept', 100)
    const customer = await addPayer(shop, 'holder')
    await shop.stripe.subscriptions.create({ customer, items: [{ price: priceId }] })
    const hold = ({ body }: { body: { products: { key: string }[] } }) =>
      assert.ok(body.products.some(({ key }) => key === 'kept'))
    await eventually(() => shop.get('/v1/customers/holder'), hold)
    await shop.stripe.products.update(productId, { active: false })
    await eventually(
      () => readProduct('kept'),
      ({ status }) => assert.equal(status, 404),
    )
    hold(await shop.get('/v1/customers/holder'))
  })
})

describe('a product that is not linked', () => {
  it('is held by nobody until it is linked, then at once by those who subscribed, at its first version', async () => {
    const product = await shop.stripe.products.create({
      name: 'Late',
      default_price_data: { currency: 'usd', unit_amount: 100, recurring: monthly },
    })
    const { priceId } = await linkNew(shop, 'beside', 100)
    const customer = await addPayer(shop, 'early-bird')
    const items = [{ price: priceId }, { price: String(product.default_price), quantity: 3 }]
    await shop.stripe.subscriptions.create({ customer, items })
    const readKeys = async () =>
      (await shop.get('/v1/customers/early-bird')).body.products.map(({ key }: { key: string }) => key)
    await eventually(readKeys, (keys) => assert.deepEqual(keys, ['beside']))
    await shop.post('/v1/products', { productKey: 'late', providerProductId: product.id })
    assert.deepEqual((await readKeys()).sort(), ['beside', 'late'])
    await shop.post('/v1/products/late/versions')
    const { body } = await shop.get('/v1/customers/early-bird')
    const late = body.products.find(({ key }: { key: string }) => key === 'late')
    assert.deepEqual([late.version, late.prices[0].quantity], [1, 3])
  })
})
