// The simulator by itself: one port for API, pages and front page, and the buttons on it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { type Standalone, type StandaloneOptions, startStandalone } from '../src/standalone/server.ts'
import { listen, open, seed, submit } from './simulator-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-standalone-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const secretKey = 'sk_test_alone'
const start = (options: Partial<StandaloneOptions> = {}) =>
  startStandalone({
    host: '127.0.0.1',
    port: 0,
    file: undefined,
    secretKey,
    webhookSecret: 'whsec_alone',
    webhookTarget: undefined,
    ...options,
  })

const connect = ({ url }: Standalone) =>
  new Stripe(secretKey, { host: 'localhost', port: Number(new URL(url).port), protocol: 'http' })

describe('a simulator by itself', () => {
  const received: string[] = []
  let running: Standalone
  let stripe: Stripe
  let closeReceiver: () => void
  before(async () => {
    const { server, port } = await listen(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      received.push(JSON.parse(Buffer.concat(chunks).toString()).id)
      response.end()
    })
    closeReceiver = () => server.close()
    running = await start({ webhookTarget: `http://127.0.0.1:${port}/` })
    stripe = connect(running)
  })
  after(async () => {
    await running.close()
    closeReceiver()
  })

  const press = (action: string, fields: Record<string, string> = {}) =>
    submit(`${running.url}/actions/${action}`, fields)

  async function until(condition: () => boolean): Promise<void> {
    const deadlineAt = Date.now() + 5_000
    while (!condition()) {
      if (Date.now() > deadlineAt) assert.fail(`Not true in time: ${condition}`)
      await sleep(10)
    }
  }

  it('lists what its account holds, escaped, with nothing loaded and nothing run', async () => {
    const { customer, priceId, product } = await seed(stripe)
    await stripe.customers.update(customer.id, { name: '<script>alert(1)</script>' })
    const held = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })
    const { status, text, headers } = await open(`${running.url}/`)
    assert.equal(status, 200)
    for (const shown of [
      product.id,
      priceId,
      customer.id,
      held.id,
      'customer.subscription.created',
      secretKey,
    ]) {
      assert(text.includes(shown), shown)
    }
    assert(text.includes('&lt;script&gt;') && !/<script|<img|<link|@import|url\(/i.test(text))
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /form-action 'self'/)
    assert(!policy.includes('unsafe'))
  })

  it('serves checkout on the same port', async () => {
    const { customer, priceId } = await seed(stripe)
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: 'https://shop.example/ok',
    })
    const url = session.url as string
    assert(url.startsWith(`${running.url}/simulator/test/checkout/`))
    assert.equal((await submit(url, { card_number: '4242424242424242' })).status, 303)
  })

  it('advances time by a button, and fails the charge it was told to, once', async () => {
    const { customer, priceId } = await seed(stripe)
    const held = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })
    const read = () => stripe.subscriptions.retrieve(held.id)
    const pressed = await press('fail-charge')
    assert.deepEqual([pressed.status, pressed.location], [303, '/?done=charge'])
    assert.match((await open(`${running.url}/`)).text, /1 will fail/)
    // Subscriptions of the cases before fall due first, so this one is made the only one to be charged.
    for await (const other of stripe.subscriptions.list()) {
      if (other.id !== held.id) await stripe.subscriptions.cancel(other.id)
    }
    await press('advance', { step: 'month' })
    const renewed = await read()
    assert.equal(renewed.status, 'past_due')
    assert.notEqual(renewed.items.data[0]?.current_period_end, held.items.data[0]?.current_period_end)
    await press('advance', { step: 'week' })
    await press('advance', { step: 'week' })
    assert.equal((await read()).status, 'active')
    assert.match((await open(`${running.url}/`)).text, /stands still/)
    await press('real-time')
    assert.match((await open(`${running.url}/`)).text, /real time/)
  })

  it('declines the card at a checkout, too, when told to fail the next charge', async () => {
    const { customer, priceId } = await seed(stripe)
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: 'https://shop.example/ok',
    })
    await press('fail-charge')
    const pay = () => submit(session.url as string, { card_number: '4242424242424242' })
    assert.equal((await pay()).status, 402)
    assert.equal((await pay()).status, 303)
  })

  it('sends an event again by a button', async () => {
    const [event] = (await stripe.events.list({ limit: 1 })).data
    assert(event)
    await until(() => received.includes(event.id))
    received.length = 0
    assert.equal((await press('resend', { event: event.id })).location, '/?done=resent')
    await until(() => received.includes(event.id))
    assert.equal((await press('resend', { event: 'evt_none' })).location, '/?done=unknown')
    assert.equal((await press('explode')).location, '/?done=unknown')
    assert.equal((await press('advance', { step: 'aeon' })).location, '/?done=unknown')
  })

  it('keeps its buttons from other pages and its list from other names', async () => {
    const { port } = new URL(running.url)
    const ask = (path: string, method: string, headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method, headers, redirect: 'manual' })
    const evil = await ask('/actions/fail-charge', 'POST', { origin: 'https://evil.example' })
    assert.equal(evil.status, 403)
    const own = await ask('/actions/real-time', 'POST', { origin: `http://127.0.0.1:${port}` })
    assert.equal(own.status, 303)
    // A name that leads here although it is not ours: fetch would not send it.
    const status = await new Promise((resolve, reject) => {
      const asked = get({ host: '127.0.0.1', port, headers: { host: 'evil.example' } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject)
    })
    assert.equal(status, 403)
  })

  it('asks the API for its key as ever', async () => {
    assert.equal((await open(`${running.url}/v1/customers`)).status, 401)
    assert.equal((await open(`${running.url}/nothing`)).status, 401)
  })
})

describe('a file', () => {
  it('keeps the account over an end and a new start', async () => {
    const file = join(folder, 'account.json')
    const first = await start({ file })
    const { customer } = await seed(connect(first))
    await submit(`${first.url}/actions/advance`, { step: 'year' })
    await first.close()
    const second = await start({ file })
    try {
      const found = await connect(second).customers.retrieve(customer.id)
      assert.equal((found as Stripe.Customer).email, 'ada@example.com')
      assert.match((await open(`${second.url}/`)).text, /stands still/)
    } finally {
      await second.close()
    }
  })

  it('that is none of ours is refused in a sentence', async () => {
    const file = join(folder, 'other.json')
    writeFileSync(file, 'not json')
    await assert.rejects(start({ file }), /other\.json is not a state that the simulator wrote/)
  })
})
