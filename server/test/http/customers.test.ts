// Customers: creating, reading, updating and deleting them, and the products they hold.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
  await service.request('POST', '/v1/features', {
    body: { featureKey: 'calls', name: 'Calls', type: 'limit' },
  })
  await service.request('POST', '/v1/features', { body: { featureKey: 'sso', name: 'SSO', type: 'boolean' } })
  const plans = { basic: 10, extra: 5, third: 1 }
  for (const [productKey, limit] of Object.entries(plans)) {
    const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit }]
    await service.request('POST', '/v1/custom-products', {
      body: { productKey, name: productKey, featureAccess },
    })
  }
})
after(() => service.close())

const create = (body: object, options = {}) => service.request('POST', '/v1/customers', { body, ...options })
const update = (customerId: string, body: object) =>
  service.request('PUT', `/v1/customers/${encodeURIComponent(customerId)}`, { body })
const get = (customerId: string, options = {}) =>
  service.request('GET', `/v1/customers/${encodeURIComponent(customerId)}`, options)
const keysOf = (customer: { products: { key: string }[] }) => customer.products.map((product) => product.key)

describe('POST /v1/customers', () => {
  describe('201', () => {
    it('makes a customer of an id alone, whose usage starts now', async () => {
      const startedAt = Date.now()
      const { status, body } = await create({ customerId: 'bare' })
      assert.equal(status, 201)
      const { created, usageStartedAt, providerCustomerId: _linked, featureAccess, ...rest } = body
      assert.deepEqual(rest, {
        customerId: 'bare',
        hasPaymentMethod: false,
        metadata: {},
        enviroment: 'test',
        products: [],
        bonuses: [],
      })
      assert.ok(created >= startedAt && created <= Date.now())
      assert.equal(usageStartedAt, created)
      assert.deepEqual(featureAccess.sso, { hasAccess: false, type: 'boolean' })
      assert.equal(featureAccess.calls.limit, 0)
      assert.equal(featureAccess.calls.usage.remaining, 0)
      assert.equal(featureAccess.calls.usage.hasReachedLimit, true)
    })

    it('assigns custom products, whose limits add up and whose period is the month of usageStartedAt', async () => {
      const usageStartedAt = Date.UTC(2024, 0, 31, 12)
      const { body } = await create({
        customerId: 'full',
        name: 'Full Ltd',
        email: 'a@b.co',
        usageStartedAt,
        customProductKeys: ['basic', 'extra', 'basic'],
      })
      assert.deepEqual(keysOf(body).sort(), ['basic', 'extra'])
      assert.equal(body.featureAccess.calls.limit, 15)
      for (const product of body.products) {
        assert.deepEqual(
          [
            product.type,
            product.status,
            product.isDefault,
            product.version,
            product.canceledAt,
            product.prices,
          ],
          ['custom', 'active', false, 1, null, []],
        )
        assert.ok(product.currentPeriodStart <= Date.now() && Date.now() < product.currentPeriodEnd)
        assert.equal(new Date(product.currentPeriodStart).getUTCHours(), 12)
        assert.ok(new Date(product.currentPeriodStart).getUTCDate() >= 28)
      }
      assert.deepEqual((await get('full', { instance: 1 })).body, body)
    })

    it('takes ids of any script and gives them back exactly', async () => {
      for (const customerId of [
        'auth0|42',
        'jo@x.io',
        '株式会社',
        'a/b',
        'a?b#c',
        '100%',
        'e\u0301',
        'é',
        ' x ',
        '😀'.repeat(255),
      ]) {
        const { status, body } = await create({ customerId })
        assert.deepEqual([status, body.customerId], [201, customerId])
        assert.equal((await get(customerId)).body.customerId, customerId)
        const { body: deleted } = await service.request(
          'DELETE',
          `/v1/customers/${encodeURIComponent(customerId)}`,
        )
        assert.deepEqual(deleted, { id: customerId })
      }
    })

    it('keeps environments apart: the same id may be another customer there', async () => {
      await create({ customerId: 'both', name: 'test one' })
      const { body } = await create({ customerId: 'both', name: 'live one' }, { key: service.keys.live })
      assert.equal(body.enviroment, 'live')
      assert.equal((await get('both')).body.name, 'test one')
    })
  })

  describe('400', () => {
    it('names the field at fault and makes nobody', async () => {
      const bad: [object, RegExp][] = [
        [{}, /^customerId is required/],
        [{ customerId: '..' }, /^customerId must not be "\." or "\.\."/],
        [{ customerId: 'x'.repeat(256) }, /^customerId must have at most 255/],
        [{ customerId: 'a\u0000' }, /^customerId must not contain control/],
        [{ customerId: '\ud800' }, /^customerId must not contain lone surrogates/],
        [{ customerId: 'r', name: null }, /^name/],
        [{ customerId: 'r', name: 'line\nbreak' }, /^name/],
        [{ customerId: 'r', name: 'x'.repeat(256) }, /^name/],
        [{ customerId: 'r', email: 5 }, /^email/],
        [{ customerId: 'r', usageStartedAt: 1.5 }, /^usageStartedAt/],
        [{ customerId: 'r', usageStartedAt: Date.UTC(1999, 11, 31) }, /^usageStartedAt/],
        [{ customerId: 'r', usageStartedAt: Date.UTC(2101) }, /^usageStartedAt/],
        [{ customerId: 'r', usageStartedAt: '2024' }, /^usageStartedAt/],
        [
          { customerId: 'r', usageStartedAt: 1_700_000_000 },
          /^usageStartedAt .*looks like seconds.*1700000000/,
        ],
        [{ customerId: 'r', email: 'nobody' }, /^email must be an email address, but "nobody" came/],
        [{ customerId: 'r', email: `${'a'.repeat(251)}@x.io` }, /^email must have at most 255/],
        [{ customerId: 'r', metadata: { a: 'bell\u0007' } }, /^metadata\.a must not contain control/],
        [{ customerId: 'r', metadata: { 'a\nb': 'x' } }, /^metadata has a key/],
        [{ customerId: 'r', customProductKeys: 'basic' }, /^customProductKeys/],
        [
          { customerId: 'r', customProductKeys: ['nothing'] },
          /^customProductKeys\[0\]: there is no product "nothing"/,
        ],
        [{ customerId: 'r', enviroment: 'live' }, /^"enviroment" is not a known field/],
      ]
      for (const [body, message] of bad) {
        const answer = await create(body)
        assert.equal(answer.status, 400, JSON.stringify(body))
        assert.match(answer.body.error, message)
      }
      assert.equal((await get('r')).body, null)
    })

    it('does not assign a product of the other environment', async () => {
      const body = { productKey: 'live-plan', name: 'x' }
      await service.request('POST', '/v1/custom-products', { body, key: service.keys.live })
      assert.equal((await create({ customerId: 'r', customProductKeys: ['live-plan'] })).status, 400)
    })
  })

  describe('409', () => {
    it('makes an id once, however many callers race for it on two instances', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          create({ customerId: 'once', name: `n${index}` }, { instance: index % 2 }),
        ),
      )
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, ...Array(11).fill(409)])
      const made = answers.find((answer) => answer.status === 201)
      assert.equal((await get('once')).body.name, made?.body.name)
    })
  })
})

describe('GET /v1/customers/{customerId}', () => {
  it('200: null for an unknown customer and for one of the other environment', async () => {
    await create({ customerId: 'live-only' }, { key: service.keys.live })
    for (const customerId of ['nobody', 'live-only']) {
      const { status, text } = await get(customerId)
      assert.deepEqual([status, text], [200, 'null'])
    }
  })
})

describe('PUT /v1/customers/{customerId}', () => {
  describe('200', () => {
    it('changes what is sent, leaves the rest alone, and every instance sees it', async () => {
      const { body: before } = await create({ customerId: 'put', name: 'old', email: 'old@x.io' })
      const { body } = await update('put', { name: 'new' })
      assert.deepEqual(body, { ...before, name: 'new' })
      assert.deepEqual((await update('put', {})).body, body)
      assert.deepEqual((await get('put', { instance: 1 })).body, body)
      const usageStartedAt = Date.UTC(2020, 0, 15)
      assert.equal((await update('put', { usageStartedAt })).body.usageStartedAt, usageStartedAt)
    })

    it('adds and removes products; adding what is held and removing what is not are no errors', async () => {
      const { body: held } = await create({ customerId: 'swap', customProductKeys: ['basic'] })
      const { startedAt } = held.products[0]
      const same = await update('swap', {
        addCustomProductKeys: ['basic'],
        removeCustomProductKeys: ['extra'],
      })
      assert.deepEqual([same.status, same.body.products[0].startedAt], [200, startedAt])
      const { body } = await update('swap', {
        addCustomProductKeys: ['extra', 'third'],
        removeCustomProductKeys: ['basic'],
      })
      assert.deepEqual(keysOf(body).sort(), ['extra', 'third'])
      assert.equal(body.featureAccess.calls.limit, 6)
    })
  })

  describe('null and metadata', () => {
    it('clears name and email with null, and leaves the other alone', async () => {
      await create({ customerId: 'cleared', name: 'Name', email: 'a@example.com' })
      const { status, body } = await update('cleared', { name: null })
      assert.equal(status, 200)
      assert.deepEqual(['name' in body, body.email], [false, 'a@example.com'])
      assert.equal('email' in (await update('cleared', { email: null })).body, false)
    })

    it('keeps metadata, replaces it whole, and shows {} without any', async () => {
      const { body } = await create({ customerId: 'noted', metadata: { a: '1', b: 'two\nlines' } })
      assert.deepEqual(body.metadata, { a: '1', b: 'two\nlines' })
      assert.deepEqual((await update('noted', { name: 'x' })).body.metadata, { a: '1', b: 'two\nlines' })
      assert.deepEqual((await update('noted', { metadata: { c: '3' } })).body.metadata, { c: '3' })
      assert.deepEqual((await get('noted', { instance: 1 })).body.metadata, { c: '3' })
      assert.deepEqual((await update('noted', { metadata: {} })).body.metadata, {})
    })
  })

  describe('400', () => {
    it('refuses a key in both lists, an unknown product, null and unknown fields, and changes nothing', async () => {
      const { body: before } = await create({ customerId: 'put400', name: 'kept' })
      const bad = [
        { name: 'x', addCustomProductKeys: ['basic'], removeCustomProductKeys: ['basic'] },
        { name: 'x', addCustomProductKeys: ['nothing'] },
        { name: 'x', removeCustomProductKeys: ['nothing'] },
        { usageStartedAt: null },
        { metadata: null },
        { addCustomProductKeys: null },
        { metadata: { a: 1 } },
        { customerId: 'other' },
        { customProductKeys: ['basic'] },
      ]
      for (const body of bad) assert.equal((await update('put400', body)).status, 400, JSON.stringify(body))
      assert.deepEqual((await get('put400')).body, before)
    })
  })

  describe('404', () => {
    it('knows no missing customer', async () => {
      assert.equal((await update('nobody', { name: 'x' })).status, 404)
      assert.equal((await update('nobody', {})).status, 404)
    })
  })
})

describe('DELETE /v1/customers/{customerId}', () => {
  it('200: the id is free again, and a new customer has nothing of the old one', async () => {
    const { body: old } = await create({ customerId: 'del', name: 'old', customProductKeys: ['basic'] })
    const { status, body } = await service.request('DELETE', '/v1/customers/del')
    assert.deepEqual([status, body], [200, { id: 'del' }])
    for (const instance of [0, 1]) assert.equal((await get('del', { instance })).body, null)
    const again = await create({ customerId: 'del' }, { instance: 1 })
    assert.equal(again.status, 201)
    assert.deepEqual([again.body.name, again.body.products], [undefined, []])
    assert.ok(again.body.created >= old.created)
    assert.equal((await get('del')).body.featureAccess.calls.limit, 0)
  })

  it('404: unknown customers and those of the other environment, which stay', async () => {
    await create({ customerId: 'theirs' }, { key: service.keys.live })
    for (const customerId of ['nobody', 'theirs']) {
      assert.equal((await service.request('DELETE', `/v1/customers/${customerId}`)).status, 404)
    }
    assert.equal((await get('theirs', { key: service.keys.live })).body.customerId, 'theirs')
  })
})

describe('the default product', () => {
  it('is held by whoever has no other product, at its latest version, and is not stored', async () => {
    const { body: alone } = await create({ customerId: 'alone', usageStartedAt: Date.UTC(2024, 4, 5) })
    await create({ customerId: 'busy', customProductKeys: ['extra'] })
    await service.request('PUT', '/v1/products/basic', { body: { isDefault: true } })
    const { body } = await get('alone', { instance: 1 })
    assert.deepEqual(keysOf(body), ['basic'])
    assert.deepEqual([body.products[0].isDefault, body.products[0].startedAt], [true, alone.usageStartedAt])
    assert.equal(body.featureAccess.calls.limit, 10)
    assert.deepEqual(keysOf((await get('busy')).body), ['extra'])
    await service.request('POST', '/v1/products/basic/versions')
    assert.equal((await get('alone')).body.products[0].version, 2)
    await update('busy', { removeCustomProductKeys: ['extra'] })
    assert.deepEqual(keysOf((await get('busy')).body), ['basic'])
    await service.request('POST', '/v1/products/basic/archive', { body: { archived: true } })
    assert.deepEqual((await get('alone')).body.products, [])
    assert.deepEqual(
      await service.query(`select * from customer_product p join customer c using (customer_uid)
      where c.customer_id = 'alone'`),
      [],
    )
  })
})
