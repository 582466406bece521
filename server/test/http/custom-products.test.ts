// POST /v1/custom-products and PUT …/feature-access: products, their entries, and the one default.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
  for (const [featureKey, type] of [
    ['sso', 'boolean'],
    ['calls', 'limit'],
    ['seats', 'limit'],
  ]) {
    await service.request('POST', '/v1/features', { body: { featureKey, name: `The ${featureKey}`, type } })
  }
})
after(() => service.close())

const create = (body: object, options = {}) =>
  service.request('POST', '/v1/custom-products', { body, ...options })
const findDefaults = async () =>
  (await service.request('GET', '/v1/products?limit=100')).body.products.flatMap(
    (product: { key: string; isDefault: boolean }) => (product.isDefault ? [product.key] : []),
  )

describe('POST /v1/custom-products', () => {
  describe('201', () => {
    it('makes a product with name and key alone', async () => {
      const { status, body } = await create({ name: 'Bare', productKey: 'bare' })
      assert.equal(status, 201)
      const { id, ...rest } = body
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.deepEqual(rest, {
        key: 'bare',
        name: 'Bare',
        type: 'custom',
        isDefault: false,
        isAddOn: false,
        isArchived: false,
        archivedAt: null,
        version: 1,
        providerProductId: null,
        metadata: {},
        prices: [],
        featureAccess: [],
      })
    })

    it('answers with the entries in their order, each with the fields of its kind', async () => {
      const { body } = await create({
        name: 'Full',
        productKey: 'full',
        metadata: { tier: 'gold', ['__proto__']: 'a key like any other' },
        featureAccess: [
          { featureKey: 'seats', hasAccess: true, isUnlimited: true },
          { featureKey: 'sso', hasAccess: true },
          { featureKey: 'calls', hasAccess: true, limit: 0.1 },
        ],
      })
      assert.deepEqual(body.featureAccess, [
        {
          featureKey: 'seats',
          name: 'The seats',
          type: 'limit',
          hasAccess: true,
          limit: null,
          isUnlimited: true,
        },
        { featureKey: 'sso', name: 'The sso', type: 'boolean', hasAccess: true },
        {
          featureKey: 'calls',
          name: 'The calls',
          type: 'limit',
          hasAccess: true,
          limit: 0.1,
          isUnlimited: false,
        },
      ])
      assert.deepEqual(
        (await service.request('GET', '/v1/products/full', { instance: 1 })).text,
        JSON.stringify(body),
      )
    })

    it('needs no limit without access', async () => {
      const featureAccess = [{ featureKey: 'calls', hasAccess: false }]
      const { status, body } = await create({ name: 'None', productKey: 'none', featureAccess })
      assert.equal(status, 201)
      assert.equal(body.featureAccess[0].hasAccess, false)
    })

    it('keeps metadata keys such as __proto__ and constructor as they are', async () => {
      const text =
        '{"name":"P","productKey":"proto","metadata":{"__proto__":"p","constructor":"c","toString":"t"}}'
      const headers = { 'content-type': 'application/json' }
      const answer = await service.request('POST', '/v1/custom-products', { raw: text, headers })
      assert.equal(answer.status, 201)
      assert.deepEqual(Object.entries(answer.body.metadata).sort(), [
        ['__proto__', 'p'],
        ['constructor', 'c'],
        ['toString', 't'],
      ])
      assert.equal(({} as Record<string, unknown>).p, undefined)
    })

    it('moves the default here from whichever product had it', async () => {
      await create({ name: 'D1', productKey: 'd1', isDefault: true })
      assert.deepEqual(await findDefaults(), ['d1'])
      assert.equal((await create({ name: 'D2', productKey: 'd2', isDefault: true })).body.isDefault, true)
      assert.deepEqual(await findDefaults(), ['d2'])
      await service.request('PUT', '/v1/products/d1', { body: { isDefault: true } })
      assert.deepEqual(await findDefaults(), ['d1'])
      await service.request('PUT', '/v1/products/d1', { body: { isDefault: false } })
      assert.deepEqual(await findDefaults(), [])
    })

    it('leaves one default however many callers on however many instances want theirs to be it', async () => {
      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          create({ name: 'x', productKey: `race-${index}`, isDefault: true }, { instance: index % 2 }),
        ),
      )
      assert.equal((await findDefaults()).length, 1)
    })
  })

  describe('400', () => {
    const refused: [string, object[], RegExp][] = [
      [
        'an unknown feature',
        [{ featureKey: 'nope', hasAccess: true }],
        /\[0\]\.featureKey: there is no feature "nope"/,
      ],
      [
        'a feature given twice',
        [
          { featureKey: 'sso', hasAccess: true },
          { featureKey: 'sso', hasAccess: false },
        ],
        /\[1\]\.featureKey: "sso" is given more than once/,
      ],
      [
        'a limit feature with access but no limit',
        [{ featureKey: 'calls', hasAccess: true }],
        /limit or isUnlimited/,
      ],
      [
        'both limit and isUnlimited',
        [{ featureKey: 'calls', hasAccess: true, limit: 1, isUnlimited: true }],
        /either limit or isUnlimited/,
      ],
      ['a limit on a boolean feature', [{ featureKey: 'sso', hasAccess: true, limit: 1 }], /limit/],
      [
        'isUnlimited on a boolean feature',
        [{ featureKey: 'sso', hasAccess: true, isUnlimited: true }],
        /isUnlimited/,
      ],
      [
        'isUnlimited false',
        [{ featureKey: 'calls', hasAccess: true, isUnlimited: false }],
        /isUnlimited must be true/,
      ],
      ['a negative limit', [{ featureKey: 'calls', hasAccess: true, limit: -1 }], /limit must be at least 0/],
      [
        'seven decimals',
        [{ featureKey: 'calls', hasAccess: true, limit: 0.1234567 }],
        /limit must have at most 15/,
      ],
      ['more than 10^12', [{ featureKey: 'calls', hasAccess: true, limit: 1e12 + 1 }], /limit/],
      ['an entry without hasAccess', [{ featureKey: 'calls', limit: 1 }], /hasAccess is required/],
      [
        'an unknown field in an entry',
        [{ featureKey: 'sso', hasAccess: true, x: 1 }],
        /"x" is not a known field/,
      ],
    ]
    for (const [what, featureAccess, message] of refused) {
      it(`refuses ${what}, and makes and changes nothing`, async () => {
        const created = await create({ name: 'x', productKey: 'refused', featureAccess })
        assert.equal(created.status, 400, created.text)
        assert.match(created.body.error, message)
        assert.equal((await service.request('GET', '/v1/products/refused')).status, 404)
        const before = await service.request('GET', '/v1/products/full')
        const put = await service.request('PUT', '/v1/products/full/feature-access', {
          body: { featureAccess },
        })
        assert.equal(put.status, 400)
        assert.match(put.body.error, message)
        assert.equal((await service.request('GET', '/v1/products/full')).text, before.text)
      })
    }

    it('bounds metadata by keys, lengths and size, and takes strings only', async () => {
      const fill = (count: number, length: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'.repeat(length)]))
      const bad = [
        { a: 1 },
        { a: null },
        [],
        'x',
        null,
        fill(51, 1),
        fill(1, 501),
        fill(20, 420),
        { ['k'.repeat(41)]: '' },
      ]
      for (const metadata of [...bad, { '\u0000': 'x' }, { x: '\u0000' }, { x: '\ud800' }]) {
        const { status, body } = await create({ name: 'x', productKey: 'meta', metadata })
        assert.equal(status, 400, JSON.stringify(metadata))
        assert.match(body.error, /^metadata/)
      }
      const good = { ...fill(49, 100), ['k'.repeat(40)]: 'tab\tand\nline' }
      assert.deepEqual((await create({ name: 'x', productKey: 'meta', metadata: good })).body.metadata, good)
    })
  })

  describe('409', () => {
    it('makes a key once, and keeps it taken while its product is archived', async () => {
      const sent = { name: 'x', productKey: 'once' }
      const statuses = (
        await Promise.all(Array.from({ length: 8 }, (_, index) => create(sent, { instance: index % 2 })))
      ).map((answer) => answer.status)
      assert.deepEqual(statuses.sort(), [201, ...Array(7).fill(409)])
      await service.request('POST', '/v1/products/once/archive', { body: { archived: true } })
      assert.equal((await create(sent)).headers['x-error-code'], 'product_key_taken')
      assert.equal((await create(sent, { key: service.keys.live })).status, 201)
    })
  })
})

describe('PUT /v1/products/{productKey}/feature-access', () => {
  it('200: replaces the whole configuration, for holders at once, on every instance', async () => {
    await create({
      name: 'P',
      productKey: 'put',
      featureAccess: [{ featureKey: 'calls', hasAccess: true, limit: 1 }],
    })
    await service.request('POST', '/v1/customers', {
      body: { customerId: 'holder', customProductKeys: ['put'] },
    })
    const body = { featureAccess: [{ featureKey: 'seats', hasAccess: true, limit: 3 }] }
    const { body: product } = await service.request('PUT', '/v1/products/put/feature-access', { body })
    assert.equal(product.version, 1)
    for (const instance of [0, 1]) {
      const { body: customer } = await service.request('GET', '/v1/customers/holder', { instance })
      assert.equal(customer.featureAccess.calls.hasAccess, false)
      assert.equal(customer.featureAccess.calls.limit, 0)
      assert.equal(customer.featureAccess.seats.limit, 3)
    }
    const empty = await service.request('PUT', '/v1/products/put/feature-access', {
      body: { featureAccess: [] },
    })
    assert.deepEqual(empty.body.featureAccess, [])
  })

  it('404: unknown and foreign products', async () => {
    await create({ name: 'x', productKey: 'live-one' }, { key: service.keys.live })
    for (const productKey of ['nothing', 'live-one']) {
      const path = `/v1/products/${productKey}/feature-access`
      assert.equal((await service.request('PUT', path, { body: { featureAccess: [] } })).status, 404)
    }
  })
})
