// The simulator's protocol seen raw: authentication, errors, idempotency, cursors, expansion, form encoding.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseForm } from '../src/api/form.ts'
import { type SimulatorFixture, secrets, seed, startSimulator } from './simulator-fixture.ts'

let running: SimulatorFixture
before(async () => {
  running = await startSimulator()
})
after(() => running.close())

type Answer = {
  id: string
  metadata: Record<string, string>
  error: { type: string; code?: string; param?: string; message: string }
}

async function request(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${running.apiPort}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secrets.test.secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const answer = (await response.json()) as Answer
  return { status: response.status, headers: response.headers, body: answer }
}

describe('a request', () => {
  it('without the right key is 401', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer sk_test_other', `Basic ${secrets.test.secretKey}`]) {
      const { status, body } = await request('GET', '/v1/customers', undefined, { authorization })
      assert.equal(status, 401)
      assert.equal(body.error.type, 'invalid_request_error')
    }
  })

  it('carries a request id', async () => {
    const { headers } = await request('GET', '/v1/customers')
    assert.match(headers.get('request-id') ?? '', /^req_/)
  })

  it('of an unknown path, thing or parameter says so as the provider does', async () => {
    const path = await request('GET', '/v1/nothing')
    assert.equal(path.status, 404)
    const thing = await request('GET', '/v1/customers/cus_none')
    assert.equal(thing.status, 404)
    assert.deepEqual(thing.body.error, {
      type: 'invalid_request_error',
      message: "No such customer: 'cus_none'",
      code: 'resource_missing',
      param: 'id',
    })
    const wrongKind = await request('GET', `/v1/prices/${(await seed(running.stripe.test)).customer.id}`)
    assert.equal(wrongKind.status, 404)
    const unknown = await request('POST', '/v1/customers', 'nam=x')
    assert.equal(unknown.status, 400)
    assert.equal(unknown.body.error.code, 'parameter_unknown')
    assert.equal(unknown.body.error.param, 'nam')
    const missing = await request('POST', '/v1/products', '')
    assert.equal(missing.body.error.code, 'parameter_missing')
    assert.equal(missing.body.error.param, 'name')
    const nested = await request('POST', '/v1/customers', 'invoice_settings[x]=1')
    assert.equal(nested.body.error.param, 'invoice_settings[x]')
  })

  it('of a hostile kind breaks nothing', async () => {
    const bodies = [
      'metadata[a]=%00',
      'metadata[__proto__]=x',
      'a[b',
      '[]=1',
      `${'a[b]'.repeat(50)}=1`,
      '%ff=1',
      'name[a]=1',
    ]
    for (const body of bodies) {
      const { status } = await request('POST', '/v1/customers', body)
      assert([200, 400].includes(status), `${body} ${status}`)
    }
    for (const id of ['%ff', '%00', '%2F', '..']) {
      assert.equal((await request('GET', `/v1/customers/${id}`)).status, 404)
    }
    assert.equal((await request('POST', '/v1/customers', `name=${'x'.repeat(2_000_000)}`)).status, 413)
  })

  it('may have metadata keys of any name', async () => {
    const { body } = await request(
      'POST',
      '/v1/customers',
      'metadata[__proto__]=x&metadata[0]=y&metadata[constructor]=z',
    )
    assert.deepEqual(Object.entries(body.metadata).toSorted(), [
      ['0', 'y'],
      ['__proto__', 'x'],
      ['constructor', 'z'],
    ])
  })
})

describe('an idempotency key', () => {
  it('replays the first answer, effect included once', async () => {
    const headers = { 'idempotency-key': 'raw-1' }
    const first = await request('POST', '/v1/customers', 'name=Once', headers)
    const again = await request('POST', '/v1/customers', 'name=Once', headers)
    assert.deepEqual(again.body, first.body)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  })

  it('with other parameters or another path is an idempotency error', async () => {
    const headers = { 'idempotency-key': 'raw-2' }
    await request('POST', '/v1/customers', 'name=One', headers)
    for (const [path, body] of [
      ['/v1/customers', 'name=Two'],
      ['/v1/products', 'name=One'],
    ] as const) {
      const answer = await request('POST', path, body, headers)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error.type, 'idempotency_error')
    }
  })

  it('makes one customer of twenty requests at once', async () => {
    const headers = { 'idempotency-key': 'raw-3' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => request('POST', '/v1/customers', 'name=Storm', headers)),
    )
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  })

  it('is not taken by a refused request', async () => {
    const headers = { 'idempotency-key': 'raw-4' }
    assert.equal((await request('POST', '/v1/products', '', headers)).status, 400)
    assert.equal((await request('POST', '/v1/products', 'name=P', headers)).status, 200)
  })
})

describe('a list', () => {
  it('goes forwards and backwards by cursor', async () => {
    const made: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      made.unshift((await running.stripe.live.customers.create({ name })).id)
    }
    const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
    const first = await running.stripe.live.customers.list({ limit: 2 })
    assert.deepEqual(ids(first), made.slice(0, 2))
    assert.equal(first.has_more, true)
    const last = await running.stripe.live.customers.list({ limit: 3, starting_after: made[1] as string })
    assert.deepEqual(ids(last), made.slice(2))
    assert.equal(last.has_more, false)
    const back = await running.stripe.live.customers.list({ limit: 2, ending_before: made[3] as string })
    assert.deepEqual(ids(back), made.slice(1, 3))
    assert.equal(back.has_more, true)
    const all: string[] = []
    for await (const customer of running.stripe.live.customers.list({ limit: 1 })) all.push(customer.id)
    assert.deepEqual(all, made)
  })

  it('refuses a cursor that is no such thing and a limit over 100', async () => {
    const cursor = await request('GET', '/v1/customers?starting_after=cus_none')
    assert.equal(cursor.body.error.param, 'starting_after')
    assert.equal((await request('GET', '/v1/customers?limit=101')).status, 400)
  })

  it('of subscriptions leaves out the canceled ones unless asked', async () => {
    const { customer, priceId } = await seed(running.stripe.test)
    const { subscriptions } = running.stripe.test
    const make = () => subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })
    const [kept, ended] = [await make(), await make()]
    await subscriptions.cancel(ended.id)
    const list = async (status?: 'all' | 'canceled' | 'ended') =>
      (await subscriptions.list({ customer: customer.id, ...(status && { status }) })).data.map(
        ({ id }) => id,
      )
    assert.deepEqual(await list(), [kept.id])
    assert.deepEqual(await list('all'), [ended.id, kept.id])
    assert.deepEqual(await list('canceled'), [ended.id])
    assert.deepEqual(await list('ended'), [ended.id])
  })
})

describe('expand', () => {
  it('puts objects in the place of ids, in lists and nested', async () => {
    const { customer, priceId, product } = await seed(running.stripe.test)
    const { stripe } = running
    await stripe.test.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })
    const page = await stripe.test.subscriptions.list({
      customer: customer.id,
      expand: ['data.customer', 'data.items.data.price.product'],
    })
    const [subscription] = page.data
    const [item] = subscription?.items.data ?? []
    assert(subscription && item)
    assert.equal((subscription.customer as { email: string }).email, 'ada@example.com')
    assert.equal((item.price.product as { name: string }).name, 'Pro')
    const found = await stripe.test.products.retrieve(product.id, { expand: ['default_price'] })
    assert.equal((found.default_price as { unit_amount: number }).unit_amount, 2000)
    const session = await stripe.test.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: priceId, quantity: 2 }],
      success_url: 'https://example.com/',
      expand: ['line_items'],
    })
    assert.equal(session.line_items?.data[0]?.quantity, 2)
    const wrong = await request('GET', `/v1/products/${product.id}?expand[]=name`)
    assert.equal(wrong.status, 400)
  })
})

describe('a form', () => {
  it('nests by brackets', () => {
    const form = parseForm('a=1&b[c]=2&b[d][0][e]=3&f[]=4&f[]=5')
    assert.equal(JSON.stringify(form), '{"a":"1","b":{"c":"2","d":{"0":{"e":"3"}}},"f":{"0":"4","1":"5"}}')
  })
})
