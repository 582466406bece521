// Lists: pages by position, which lose and repeat nothing while things change, and the search for customers.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

type Named = Record<string, string>

async function readPages(
  path: string,
  noun: string,
  nameOf: (item: Named) => string | undefined,
  between = async () => {},
): Promise<string[]> {
  const names: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, body } = await service.request(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=2${cursor && `&cursor=${cursor}`}`,
    )
    assert.equal(status, 200)
    assert.ok(body[noun].length <= 2)
    names.push(...body[noun].map(nameOf))
    cursor = body.nextCursor
    if (cursor !== null) await between()
  }
  return names
}

const createCustomer = (customerId: string, more = {}) =>
  service.request('POST', '/v1/customers', { body: { customerId, ...more } })
const createFeature = (featureKey: string) =>
  service.request('POST', '/v1/features', { body: { featureKey, name: 'x', type: 'boolean' } })

describe('pages', () => {
  it('show every customer that stays exactly once, newest first, while others come and go', async () => {
    const stay = Array.from({ length: 7 }, (_, index) => `stay-${index}`)
    for (const [index, customerId] of stay.entries()) {
      await createCustomer(customerId)
      if (index % 2 === 0) await createCustomer(`leave-${index}`)
    }
    let turn = 0
    const names = await readPages(
      '/v1/customers',
      'customers',
      (customer) => customer.customerId,
      async () => {
        await createCustomer(`come-${turn}`)
        await service.request('DELETE', `/v1/customers/leave-${turn}`)
        turn += 2
      },
    )
    assert.deepEqual(
      names.filter((name) => name.startsWith('stay')),
      stay.toReversed(),
    )
    assert.equal(new Set(names).size, names.length)
  })

  it('go on after the item they ended with was itself deleted', async () => {
    for (const key of ['p1', 'p2', 'p3', 'p4', 'p5']) await createFeature(key)
    const { body: first } = await service.request('GET', '/v1/features?limit=2')
    assert.deepEqual(
      first.features.map((feature: Named) => feature.featureKey),
      ['p5', 'p4'],
    )
    await service.request('DELETE', '/v1/features/p4')
    const { body: next } = await service.request('GET', `/v1/features?limit=2&cursor=${first.nextCursor}`)
    assert.deepEqual(
      next.features.map((feature: Named) => feature.featureKey),
      ['p3', 'p2'],
    )
  })

  it('show things made at the same instant once each', async () => {
    for (let index = 0; index < 5; index++) await createFeature(`same-${index}`)
    for (let index = 0; index < 5; index++) {
      await service.request('POST', '/v1/custom-products', {
        body: { productKey: `same-${index}`, name: 'x' },
      })
    }
    await service.query('update feature set created_at = 1700000000000')
    await service.query('update product set created_at = 1700000000000')
    await service.query('update customer set created_at = 1700000000000')
    await service.query('update environment set catalogue_revision = catalogue_revision + 1')
    const features = await readPages('/v1/features', 'features', (each) => each.featureKey)
    assert.equal(features.filter((name) => name.startsWith('same')).length, 5)
    const products = await readPages('/v1/products?type=custom', 'products', (each) => each.key)
    assert.deepEqual(products.sort(), ['same-0', 'same-1', 'same-2', 'same-3', 'same-4'])
    const customers = await readPages('/v1/customers', 'customers', (each) => each.customerId)
    const stored = await service.query(`select customer_id from customer where environment = 'test'`)
    assert.deepEqual(customers.sort(), stored.map((row) => row.customer_id as string).sort())
  })

  it('come in the order of making under a frozen clock, the last made first', async () => {
    await service.request('PUT', '/v1/test-clock', { body: { now: Date.UTC(2030, 0, 1) } })
    const keys = ['z', 'a', 'm', 'b', 'y'].map((letter) => `frozen-${letter}`)
    for (const key of keys) {
      await createFeature(key)
      await service.request('POST', '/v1/custom-products', { body: { productKey: key, name: 'x' } })
      await createCustomer(key)
    }
    const isFrozen = (name: string | undefined) => name?.startsWith('frozen')
    const newest = keys.toReversed()
    const features = await readPages('/v1/features', 'features', (each) => each.featureKey)
    const products = await readPages('/v1/products', 'products', (each) => each.key)
    const customers = await readPages('/v1/customers', 'customers', (each) => each.customerId)
    for (const names of [features, products, customers]) assert.deepEqual(names.filter(isFrozen), newest)
    await service.request('PUT', '/v1/test-clock', { body: { now: null } })
    for (const key of keys) {
      await service.request('DELETE', `/v1/products/${key}`)
      await service.request('DELETE', `/v1/features/${key}`)
      await service.request('DELETE', `/v1/customers/${key}`)
    }
  })

  it('of versions count down by number', async () => {
    for (let index = 0; index < 4; index++) await service.request('POST', '/v1/products/same-0/versions')
    const versions = await readPages('/v1/products/same-0/versions', 'versions', (each) => each.version)
    assert.deepEqual(versions, [5, 4, 3, 2, 1])
  })

  it('have 50 items unless asked for up to 100', async () => {
    for (let index = 0; index < 51; index++) await createCustomer(`many-${index}`)
    const page = async (query: string) =>
      (await service.request('GET', `/v1/customers?search=many-${query}`)).body
    assert.equal((await page('')).customers.length, 50)
    assert.equal((await page('&limit=100')).customers.length, 51)
    assert.equal((await page('&limit=100')).nextCursor, null)
  })

  const form = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url')
  const bad = [
    'x',
    '%00',
    form(null),
    form([]),
    form([1]),
    form(['1', 'x']),
    form([1, 2]),
    form([1.5, 'x']),
    form([1e300, 'x']),
  ]
  const queries = [
    ...bad.map((cursor) => `cursor=${cursor}`),
    ...['0', '101', '-1', '1.5', 'x', '', '1e1', '99999999999999999999'].map((limit) => `limit=${limit}`),
    'limit=1&limit=2',
    'page=2',
  ]
  it('400: refuse cursors that no list gave, limits outside 1 to 100 and unknown parameters', async () => {
    for (const path of ['/v1/customers', '/v1/features', '/v1/products', '/v1/products/same-0/versions']) {
      for (const query of queries) {
        const { status, body } = await service.request('GET', `${path}?${query}`)
        assert.equal(status, 400, `${path}?${query}`)
        assert.match(body.error, /cursor|limit|page/)
      }
    }
    const twice = await service.request('GET', '/v1/customers?limit=1&limit=2')
    assert.equal(twice.body.error, 'limit must be sent once.')
    for (const cursor of [form([1, 'x']), form([1, 'not-a-uuid'])]) {
      assert.equal((await service.request('GET', `/v1/customers?cursor=${cursor}`)).status, 400)
    }
  })
})

describe('GET /v1/customers?search=', () => {
  const find = async (search: string) =>
    (await service.request('GET', `/v1/customers?search=${encodeURIComponent(search)}`)).body.customers
      .map((customer: Named) => customer.customerId)
      .sort()

  before(async () => {
    await createCustomer('acme-1', { name: 'Müller & Söhne', email: 'Info@Acme.io' })
    await createCustomer('100%', { name: 'Half_Way' })
    await createCustomer('back\\slash', { name: 'HalfxWay' })
    await createCustomer('q"uote\'s', { email: 'x@y.io' })
  })

  it('finds a part of id, name or email in any case', async () => {
    assert.deepEqual(await find('ACME'), ['acme-1'])
    assert.deepEqual(await find('info@'), ['acme-1'])
    assert.deepEqual(await find('MÜLLER'), ['acme-1'])
    assert.deepEqual(await find('söhne'), ['acme-1'])
    assert.deepEqual(await find('nothing at all'), [])
  })

  it('takes %, _, backslash and quotes for themselves', async () => {
    assert.deepEqual(await find('%'), ['100%'])
    assert.deepEqual(await find('_'), ['100%'])
    assert.deepEqual(await find('half_way'), ['100%'])
    assert.deepEqual(await find('\\'), ['back\\slash'])
    assert.deepEqual(await find('"uote\''), ['q"uote\'s'])
  })

  it('sees no customer of the other environment', async () => {
    await service.request('POST', '/v1/customers', {
      body: { customerId: 'acme-live' },
      key: service.keys.live,
    })
    assert.deepEqual(await find('acme'), ['acme-1'])
  })

  it('keeps to its search over pages', async () => {
    const names = await readPages('/v1/customers?search=many-1', 'customers', (each) => each.customerId)
    assert.equal(names.length, 11)
    assert.ok(names.every((name) => name.startsWith('many-1')))
  })
})

describe('GET /v1/customers?productKey=', () => {
  const create = (productKey: string, more = {}) =>
    service.request('POST', '/v1/custom-products', { body: { productKey, name: productKey, ...more } })
  const holders = (productKey: string) =>
    readPages(`/v1/customers?search=holder&productKey=${productKey}`, 'customers', (each) => each.customerId)

  before(async () => {
    await create('held')
    await create('add')
    await create('fallback', { isDefault: true })
    await service.request('PUT', '/v1/products/add', { body: { isAddOn: true } })
    await createCustomer('holder-1', { customProductKeys: ['held'] })
    await createCustomer('holder-2', { customProductKeys: ['held', 'add'] })
    await createCustomer('holder-3', { customProductKeys: ['add'] })
    await createCustomer('holder-4')
    await createCustomer('holder-5', { customProductKeys: ['fallback'] })
  })

  it('lists those who hold the product, newest first', async () => {
    assert.deepEqual(await holders('held'), ['holder-2', 'holder-1'])
    assert.deepEqual(await holders('add'), ['holder-3', 'holder-2'])
  })

  it('lists of the default product all that have no other main product', async () => {
    assert.deepEqual(await holders('fallback'), ['holder-5', 'holder-4', 'holder-3'])
  })

  it('404: an unknown product', async () => {
    assert.equal((await service.request('GET', '/v1/customers?productKey=nothing')).status, 404)
  })
})
