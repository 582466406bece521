// POST /v1/customers with ifExists: a customer that may be there already, however many ask for it at once.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
  for (const productKey of ['basic', 'extra'])
    await service.request('POST', '/v1/custom-products', { body: { productKey, name: productKey } })
})
after(() => service.close())

const create = (body: object, options = {}) => service.request('POST', '/v1/customers', { body, ...options })
const keysOf = (customer: { products: { key: string }[] }) => customer.products.map((product) => product.key)

describe('ifExists', () => {
  it('returns a taken id as it is with ifExists return, 200', async () => {
    const first = await create({ customerId: 'known', name: 'First', ifExists: 'return' })
    assert.equal(first.status, 201)
    const again = await create({ customerId: 'known', name: 'Other', ifExists: 'return' }, { instance: 1 })
    assert.deepEqual([again.status, again.body.name], [200, 'First'])
    assert.equal((await create({ customerId: 'known', ifExists: 'replace' })).status, 400)
  })

  it('sets what was sent with ifExists update, 200; products are added, none is removed', async () => {
    const body = {
      customerId: 'upserted',
      name: 'First',
      metadata: { a: '1' },
      customProductKeys: ['basic'],
    }
    assert.equal((await create({ ...body, ifExists: 'update' })).status, 201)
    const change = { email: 'new@example.com', metadata: { b: '2' }, customProductKeys: ['extra'] }
    const again = await create({ customerId: 'upserted', ...change, ifExists: 'update' })
    assert.equal(again.status, 200)
    const { name, email, metadata } = again.body
    assert.deepEqual([name, email, metadata], ['First', 'new@example.com', { b: '2' }])
    assert.deepEqual(keysOf(again.body).sort(), ['basic', 'extra'])
    const refused = { customerId: 'upserted', customProductKeys: ['nothing'], ifExists: 'update' }
    assert.equal((await create(refused)).status, 400)
  })

  it('names the field and the place of a product that cannot be assigned, as it was sent', async () => {
    const customProductKeys = ['basic', 'nothing']
    const said = /^customProductKeys\[1\]: there is no product "nothing"/
    for (const customerId of ['not-there-yet', 'upserted']) {
      const { status, body } = await create({ customerId, customProductKeys, ifExists: 'update' })
      assert.equal(status, 400)
      assert.match(body.error, said)
    }
    for (const field of ['addCustomProductKeys', 'removeCustomProductKeys']) {
      const sent = { body: { [field]: customProductKeys } }
      const { status, body } = await service.request('PUT', '/v1/customers/upserted', sent)
      assert.equal(status, 400)
      assert.match(body.error, new RegExp(`^${field}\\[1\\]: there is no product "nothing"`))
    }
  })

  it('gives one caller the 201 and all others the 200, with ifExists, on two instances', async () => {
    for (const ifExists of ['return', 'update']) {
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          create({ customerId: `raced-${ifExists}`, ifExists }, { instance: index % 2 }),
        ),
      )
      const statuses = answers.map((answer) => answer.status).sort()
      assert.deepEqual(statuses, [...Array.from({ length: 15 }, () => 200), 201])
    }
  })

  it('is a conflict without it, also where a product that was sent cannot be assigned', async () => {
    await create({ customerId: 'taken' })
    const { status, headers } = await create({ customerId: 'taken', customProductKeys: ['nothing'] })
    assert.deepEqual([status, headers['x-error-code']], [409, 'customer_id_taken'])
    const kept = await create({ customerId: 'taken', customProductKeys: ['nothing'], ifExists: 'return' })
    assert.deepEqual([kept.status, kept.body.products], [200, []])
  })

  it('adds nothing anew that is held, even when it has been archived since', async () => {
    await service.request('POST', '/v1/custom-products', { body: { productKey: 'old', name: 'old' } })
    await create({ customerId: 'keeper', customProductKeys: ['old'] })
    await service.request('POST', '/v1/products/old/archive', { body: { archived: true } })
    const again = { customerId: 'keeper', customProductKeys: ['old'], ifExists: 'update' }
    assert.equal((await create(again)).status, 200)
    assert.equal((await create({ ...again, customerId: 'newcomer' })).status, 400)
  })
})
