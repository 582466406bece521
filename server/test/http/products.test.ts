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

describe('POST /v1/products/{productKey}/archive', () => {
  it('200: holders keep the product and its access; it is fetched, listed, assigned and edited no more', async () => {
    await create('arc', 7)
    await assign('arc-holder', 'arc')
    const before = await get('customers/arc-holder')
    const { status, body } = await post('arc/archive', { archived: true })
    assert.deepEqual([status, body.key], [200, 'arc'])
    assert.deepEqual(await get('customers/arc-holder'), before)
    assert.equal((await service.request('GET', '/v1/products/arc')).status, 404)
    assert.equal((await service.request('GET', '/v1/products/arc/versions')).status, 404)
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
