// Products: reading, updating and archiving them, and their versions.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
  await service.request('POST', '/v1/features', {
    body: { featureKey: 'calls', name: 'Calls', type: 'limit' },
  })
})
after(() => service.close())

async function create(productKey: string, limit = 10, more = {}): Promise<void> {
  const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit }]
  const body = { productKey, name: productKey, featureAccess, ...more }
  assert.equal((await service.request('POST', '/v1/custom-products', { body })).status, 201)
}

const post = (path: string, body?: object) => service.request('POST', `/v1/products/${path}`, { body })
const put = (path: string, body: object) => service.request('PUT', `/v1/products/${path}`, { body })
const get = async (path: string) => (await service.request('GET', `/v1/${path}`)).body
const assign = (customerId: string, productKey: string) =>
  service.request('POST', '/v1/customers', { body: { customerId, customProductKeys: [productKey] } })
const setLimit = (productKey: string, limit: number) =>
  put(`${productKey}/feature-access`, { featureAccess: [{ featureKey: 'calls', hasAccess: true, limit }] })

describe('PUT /v1/products/{productKey}', () => {
  it('200: changes what is sent, replaces metadata whole and leaves the rest alone', async () => {
    await create('put', 10, { metadata: { a: '1', b: '2' } })
    const { body } = await put('put', { metadata: { c: '3' } })
    assert.deepEqual([body.name, body.metadata], ['put', { c: '3' }])
    assert.equal((await put('put', { name: 'Renamed' })).body.metadata.c, '3')
    assert.deepEqual((await put('put', { metadata: {} })).body.metadata, {})
    assert.equal((await get('products/put')).name, 'Renamed')
  })

  it('400: refuses null, other fields and wrong types', async () => {
    await create('put400')
    for (const body of [
      { name: null },
      { metadata: null },
      { productKey: 'x' },
      { isDefault: 1 },
      { name: '' },
    ]) {
      assert.equal((await put('put400', body)).status, 400, JSON.stringify(body))
    }
  })

  it('404: unknown products', async () => {
    assert.equal((await put('nothing', { name: 'x' })).status, 404)
    assert.equal((await service.request('GET', '/v1/products/nothing')).status, 404)
  })
})

describe('add-ons', () => {
  const keysOf = async (customerId: string) =>
    (await get(`customers/${customerId}`)).products.map((product: { key: string }) => product.key)

  it('200: add to what is held and never displace the default product, at once for all holders', async () => {
    await create('base', 3, { isDefault: true })
    await create('more', 5)
    await assign('add-on-holder', 'more')
    assert.deepEqual(await keysOf('add-on-holder'), ['more'])
    const { body } = await put('more', { isAddOn: true })
    assert.deepEqual([body.isAddOn, body.isArchived, body.archivedAt], [true, false, null])
    assert.equal('limitsPerUnit' in body, false)
    assert.deepEqual(await keysOf('add-on-holder'), ['more', 'base'])
    assert.equal((await get('feature-access?customerId=add-on-holder')).calls.limit, 8)
    assert.equal((await put('more', { isAddOn: false })).body.isAddOn, false)
    assert.deepEqual(await keysOf('add-on-holder'), ['more'])
  })

  it('400: the default product cannot be one, and an add-on cannot be made the default', async () => {
    await create('first', 1, { isDefault: true })
    await create('second')
    const refused = [
      await put('first', { isAddOn: true }),
      await put('second', { isAddOn: true, isDefault: true }),
    ]
    await put('second', { isAddOn: true })
    refused.push(await put('second', { isDefault: true }))
    for (const { status, body } of refused) {
      assert.equal(status, 400)
      assert.match(body.error, /add-on/)
    }
    assert.equal((await put('second', { isDefault: true, isAddOn: false })).body.isDefault, true)
    assert.equal((await put('second', { isDefault: false, isAddOn: true })).body.isAddOn, true)
    await post('base/archive', { archived: true })
  })

  it('400: limitsPerUnit of a custom product', async () => {
    await create('no-units')
    const { status, body } = await put('no-units', { limitsPerUnit: true })
    assert.equal(status, 400)
    assert.match(body.error, /^limitsPerUnit can be set on provider products only/)
  })
})

describe('DELETE /v1/products/{productKey}', () => {
  const remove = (productKey: string) => service.request('DELETE', `/v1/products/${productKey}`)

  it('200: removes a product that nobody ever held, with its versions, and frees its key', async () => {
    await create('unheld')
    await post('unheld/versions')
    const { status, body } = await remove('unheld')
    assert.deepEqual([status, body], [200, { deleted: true, productKey: 'unheld' }])
    assert.equal((await service.request('GET', '/v1/products/unheld')).status, 404)
    assert.equal((await service.request('GET', '/v1/products/unheld/versions')).status, 404)
    await create('unheld')
    assert.equal((await get('products/unheld')).version, 1)
    await post('unheld/archive', { archived: true })
    assert.equal((await remove('unheld')).status, 200)
  })

  it('409: one that was ever assigned, even to a customer that is gone', async () => {
    await create('once-held')
    await assign('once-holder', 'once-held')
    await service.request('DELETE', '/v1/customers/once-holder')
    const { status, body, headers } = await remove('once-held')
    assert.equal(status, 409)
    assert.equal(headers['x-error-code'], 'product_not_deletable')
    assert.match(body.error, /archive it/)
  })

  it('409: one that was added to a customer, and one that ever was the default', async () => {
    await create('added')
    await service.request('POST', '/v1/customers', { body: { customerId: 'adder' } })
    await service.request('PUT', '/v1/customers/adder', { body: { addCustomProductKeys: ['added'] } })
    await service.request('PUT', '/v1/customers/adder', { body: { removeCustomProductKeys: ['added'] } })
    await create('was-default', 1, { isDefault: true })
    await put('was-default', { isDefault: false })
    for (const productKey of ['added', 'was-default']) assert.equal((await remove(productKey)).status, 409)
  })

  it('409 or 200, and never both: assigned while it is deleted', async () => {
    for (let round = 0; round < 10; round++) {
      const productKey = `raced-${round}`
      await create(productKey)
      const [removed, assigned] = await Promise.all([
        remove(productKey),
        assign(`racer-${round}`, productKey),
      ])
      assert.deepEqual(
        [removed.status, assigned.status].sort(),
        removed.status === 200 ? [200, 400] : [201, 409],
      )
    }
  })

  it('404: unknown products', async () => {
    assert.equal((await remove('nothing')).status, 404)
  })
})

describe('POST /v1/products/{productKey}/archive', () => {
  it('200: holders keep the product and its access; it is fetched, listed, assigned and edited no more', async () => {
    await create('arc', 7)
    await assign('arc-holder', 'arc')
    const before = await get('customers/arc-holder')
    const { status, body } = await post('arc/archive', { archived: true })
    assert.deepEqual([status, body.key], [200, 'arc'])
    assert.deepEqual(await get('customers/arc-holder'), before)
    assert.equal((await service.request('GET', '/v1/products/arc')).status, 404)
    assert.equal((await get('products/arc/versions')).versions.length, 1)
    assert.deepEqual([body.isArchived, typeof body.archivedAt], [true, 'number'])
    const keysOf = (list: { products: { key: string }[] }) => list.products.map((product) => product.key)
    assert.equal(keysOf(await get('products')).includes('arc'), false)
    assert.equal(keysOf(await get('products?includeArchived=true')).includes('arc'), true)
    const refused = [
      await assign('arc-late', 'arc'),
      await put('arc', { name: 'x' }),
      await setLimit('arc', 1),
      await post('arc/versions'),
    ]
    assert.deepEqual(
      refused.map((answer) => answer.status),
      [400, 400, 400, 400],
    )
    assert.equal(await get('customers/arc-late'), null)
    assert.equal(
      (await service.request('PUT', '/v1/customers/arc-holder', { body: { addCustomProductKeys: ['arc'] } }))
        .status,
      200,
    )
  })

  it('200: unarchiving undoes all but the default', async () => {
    await create('undo', 7, { isDefault: true })
    const before = await get('products/undo')
    assert.equal((await post('undo/archive', { archived: true })).body.isDefault, false)
    await post('undo/archive', { archived: false })
    assert.deepEqual(await get('products/undo'), { ...before, isDefault: false })
  })

  it('404: unknown products; 400: no archived', async () => {
    assert.equal((await post('nothing/archive', { archived: true })).status, 404)
    await create('arc400')
    assert.match((await post('arc400/archive', {})).body.error, /^archived is required/)
    assert.equal((await post('arc400/archive', { archived: null })).status, 400)
  })
})

describe('/v1/products/{productKey}/versions', () => {
  it('201: a copy with the next number and the same id, and customers stay on the one they hold', async () => {
    await create('ver', 10)
    await assign('ver-old', 'ver')
    const first = await get('products/ver')
    const { status, body } = await post('ver/versions')
    assert.equal(status, 201)
    assert.deepEqual(body, { ...first, version: 2 })
    await setLimit('ver', 20)
    await assign('ver-new', 'ver')
    const standing = async (customerId: string) => {
      const { products, featureAccess } = await get(`customers/${customerId}`)
      return [products[0].version, featureAccess.calls.limit]
    }
    assert.deepEqual(await standing('ver-old'), [1, 10])
    assert.deepEqual(await standing('ver-new'), [2, 20])
    const { versions, nextCursor } = await get('products/ver/versions')
    assert.deepEqual(
      versions.map((each: { version: number; featureAccess: { limit: number }[] }) => [
        each.version,
        each.featureAccess[0]?.limit,
      ]),
      [
        [2, 20],
        [1, 10],
      ],
    )
    assert.equal(nextCursor, null)
  })

  it('201: concurrent calls make one version each', async () => {
    await create('many')
    const answers = await Promise.all(Array.from({ length: 6 }, () => post('many/versions')))
    assert.deepEqual(answers.map((answer) => answer.body.version).sort(), [2, 3, 4, 5, 6, 7])
  })

  it('400: takes no body but an empty one; 404: unknown products', async () => {
    await create('ver400')
    assert.equal((await post('ver400/versions', { version: 9 })).status, 400)
    assert.equal((await post('nothing/versions')).status, 404)
    assert.equal((await service.request('GET', '/v1/products/nothing/versions')).status, 404)
  })
})

describe('POST /v1/products/{productKey}/migrate', () => {
  const versionOf = async (customerId: string) => (await get(`customers/${customerId}`)).products[0].version

  it('200: a dry run tells what the real one then does, and changes nothing itself', async () => {
    await create('mig', 10)
    for (const customerId of ['mig-1', 'mig-2']) await assign(customerId, 'mig')
    await post('mig/versions')
    await setLimit('mig', 4)
    await assign('mig-3', 'mig')
    const dry = await post('mig/migrate', { dryRun: true })
    assert.equal(dry.status, 200)
    assert.equal(dry.body.migrated, 2)
    assert.ok(dry.body.changes.length > 0)
    assert.equal(await versionOf('mig-1'), 1)
    const real = await post('mig/migrate', {})
    assert.deepEqual(real.body, dry.body)
    for (const customerId of ['mig-1', 'mig-2', 'mig-3']) assert.equal(await versionOf(customerId), 2)
    assert.equal((await get('customers/mig-1')).featureAccess.calls.limit, 4)
    assert.equal((await post('mig/migrate', {})).body.migrated, 0)
  })

  it('200: moves only those asked for', async () => {
    await create('some', 10)
    for (const customerId of ['some-1', 'some-2']) await assign(customerId, 'some')
    await post('some/versions')
    await assign('some-3', 'some')
    await post('some/versions')
    assert.equal((await post('some/migrate', { customerIds: ['some-2'] })).body.migrated, 1)
    assert.deepEqual([await versionOf('some-1'), await versionOf('some-2')], [1, 3])
    assert.equal((await post('some/migrate', { fromVersion: 2 })).body.migrated, 1)
    assert.deepEqual([await versionOf('some-1'), await versionOf('some-3')], [1, 3])
  })

  it('404: unknown products; 400: other fields', async () => {
    assert.equal((await post('nothing/migrate', {})).status, 404)
    await create('mig400')
    for (const body of [{ toVersion: 1 }, { customerIds: 'x' }, { fromVersion: 'x' }, { dryRun: null }]) {
      assert.equal((await post('mig400/migrate', body)).status, 400, JSON.stringify(body))
    }
  })
})
