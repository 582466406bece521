// POST /v1/customers/batch: up to 100 independent customers, linked in the background.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
  const product = { productKey: 'team', name: 'Team' }
  assert.equal((await service.request('POST', '/v1/custom-products', { body: product })).status, 201)
})
after(() => service.close())

const send = (customers: unknown, key?: string) =>
  service.request('POST', '/v1/customers/batch', {
    body: { customers },
    ...(key === undefined ? {} : { key }),
  })

async function isLinked(customerId: string): Promise<boolean> {
  const { body } = await service.request('GET', `/v1/customers/${customerId}`)
  return body?.providerCustomerId !== undefined
}

describe('200', () => {
  it('creates each, answers in their order, and has the provider told of all of them', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `many-${index}`)
    const { status, body } = await send(
      ids.map((customerId) => ({ customerId, name: `Name of ${customerId}`, customProductKeys: ['team'] })),
    )
    assert.deepEqual([status, body.hasErrors], [200, false])
    assert.deepEqual(
      body.results,
      ids.map((customerId) => ({ success: true, result: { customerId, isNew: true } })),
    )
    const one = await service.request('GET', '/v1/customers/many-57')
    assert.equal(one.body.name, 'Name of many-57')
    assert.equal(one.body.products[0].key, 'team')
    const deadlineAt = Date.now() + 20_000
    while (!(await isLinked('many-99')) || !(await isLinked('many-0'))) {
      assert(Date.now() < deadlineAt, 'the provider was not told')
      await sleep(50)
    }
  })

  it('fails one item and leaves the rest alone', async () => {
    await send([{ customerId: 'taken' }])
    const { status, body } = await send([
      { customerId: 'fine' },
      { customerId: 'taken' },
      { customerId: 'a', email: 'nobody' },
      { customerId: 'b', customProductKeys: ['nothing'] },
      { customerId: 'c', providerCustomerId: 'x' },
      'nonsense',
      { customerId: 'also fine' },
    ])
    assert.deepEqual([status, body.hasErrors], [200, true])
    type Result = { success: boolean; error: string; code: string }
    assert.deepEqual(
      body.results.map((each: Result) => each.success),
      [true, false, false, false, false, false, true],
    )
    const wanted: [string, RegExp][] = [
      ['customer_id_taken', /^customers\[1\]\.customerId "taken" is taken/],
      ['invalid_request', /^customers\[2\]\.email must be an email address/],
      ['invalid_request', /^customers\[3\]\.customProductKeys\[0\]: there is no product "nothing"/],
      ['unknown_field', /^"providerCustomerId" is not a known field in customers\[4\]/],
      ['invalid_request', /^customers\[5\] must be an object, but "nonsense" came\.$/],
    ]
    for (const [index, [code, sentence]] of wanted.entries()) {
      const { code: found, error } = body.results[index + 1] as Result
      assert.equal(found, code)
      assert.match(error, sentence)
    }
    assert.equal((await service.request('GET', '/v1/customers/a')).body, null)
  })

  it('can be sent again with ifExists, and creates nobody twice when sent at once', async () => {
    const batch = Array.from({ length: 20 }, (_, index) => ({
      customerId: `again-${index}`,
      name: 'First',
      ifExists: 'return',
    }))
    const answers = await Promise.all([send(batch), send(batch), send(batch)])
    const isNew = answers.flatMap(({ body }) =>
      body.results.map((each: { result: { isNew: boolean } }) => each.result.isNew),
    )
    assert.equal(isNew.filter(Boolean).length, 20)
    const renamed = await send(batch.map((each) => ({ ...each, name: 'Second', ifExists: 'update' })))
    assert.equal(renamed.body.hasErrors, false)
    assert.equal((await service.request('GET', '/v1/customers/again-7')).body.name, 'Second')
  })
})

describe('4xx', () => {
  it('400 for no customers, too many, and anything beside them', async () => {
    assert.equal((await send([])).status, 400)
    assert.equal((await send(Array.from({ length: 101 }, () => ({ customerId: 'x' })))).status, 400)
    assert.equal((await send('all')).status, 400)
  })

  it('403 for a key that may only read', async () => {
    assert.equal((await send([{ customerId: 'x' }], service.keys.testRead)).status, 403)
  })
})
