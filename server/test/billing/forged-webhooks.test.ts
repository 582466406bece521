// Webhooks that the provider did not send, or not for us, or not now: all refused, and none leaves a row.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signWebhook } from '@tollkeeper/simulator/src/events/delivery.ts'
import { eventually, openShop, type Shop } from './shop-fixture.ts'

let shop: Shop
let secrets: Record<'test' | 'live', { webhookSecret: string; secretKey: string }>
before(async () => {
  shop = await openShop()
  secrets = (shop.instances[0] as Shop['instances'][number]).simulatorAccess.secrets
})
after(() => shop.close())

let count = 0
const makeEvent = (livemode = false) =>
  JSON.stringify({
    id: `evt_forged_${++count}`,
    object: 'event',
    type: 'customer.updated',
    created: 1_800_000_000,
    livemode,
    data: { object: { id: 'cus_somebody', object: 'customer' } },
  })

function send(raw: string | Buffer, signature: string | undefined, environment = 'test') {
  const headers = {
    'content-type': 'application/json',
    ...(signature ? { 'stripe-signature': signature } : {}),
  }
  return shop.request('POST', `/provider/webhooks/${environment}`, { raw, headers, key: null })
}

const sign = (body: string, environment: 'test' | 'live' = 'test', offsetMs = 0) =>
  signWebhook(body, secrets[environment].webhookSecret, Date.now() + offsetMs)

const countRows = async () => (await shop.query('select 1 from provider_event')).length

async function assertRefused(...request: Parameters<typeof send>): Promise<void> {
  const before = await countRows()
  const answer = await send(...request)
  assert.equal(answer.status, 400, answer.text)
  assert.equal(answer.headers['x-error-code'], 'invalid_webhook')
  assert.equal(await countRows(), before)
}

describe('a genuine webhook', () => {
  for (const environment of ['test', 'live'] as const) {
    it(`of the ${environment} environment is stored once, however often it comes, and worked off`, async () => {
      const body = makeEvent(environment === 'live')
      const before = await countRows()
      for (let n = 0; n < 3; n++) {
        const answer = await send(body, sign(body, environment), environment)
        assert.equal(answer.status, 200, answer.text)
      }
      assert.equal(await countRows(), before + 1)
      await eventually(
        () => shop.query('select done_at from provider_event order by received_at desc limit 1'),
        ([row]) => assert.ok(row?.done_at),
      )
    })
  }

  it('of a type that nobody subscribed to is acknowledged and forgotten', async () => {
    const before = await countRows()
    const body = makeEvent().replace(/"type":\s*"[\w.]+"/, '"type":"invoice.paid"')
    assert.match(body, /invoice\.paid/)
    assert.equal((await send(body, sign(body))).status, 200)
    assert.equal(await countRows(), before)
  })

  it('that is thin is told so', async () => {
    const body = JSON.stringify({ id: 'evt_thin', object: 'v2.core.event', type: 'x', livemode: false })
    const answer = await send(body, sign(body))
    assert.equal(answer.status, 400)
    assert.match(answer.body.error, /thin event.*snapshot/)
  })

  it('is taken up to 300 s off, either way', async () => {
    for (const offsetMs of [-298_000, 298_000]) {
      const body = makeEvent()
      assert.equal((await send(body, sign(body, 'test', offsetMs))).status, 200)
    }
  })
})

describe('400 and no row for', () => {
  it('no signature, an empty one, and nonsense', async () => {
    const body = makeEvent()
    await assertRefused(body, undefined)
    for (const signature of ['t=', 'v1=abc', 'x'.repeat(2000), `t=${Math.floor(Date.now() / 1000)}`]) {
      await assertRefused(body, signature)
    }
  })

  it('a signature by another secret', async () => {
    const body = makeEvent()
    await assertRefused(body, signWebhook(body, 'whsec_guess', Date.now()))
    await assertRefused(body, signWebhook(body, secrets.test.secretKey, Date.now()))
    await assertRefused(body, signWebhook(body, '', Date.now()))
  })

  it("the other environment's signature", async () => {
    const body = makeEvent()
    await assertRefused(body, sign(body, 'live'))
    const live = makeEvent(true)
    await assertRefused(live, sign(live, 'test'), 'live')
  })

  it('one byte changed, anywhere', async () => {
    const body = makeEvent()
    const signature = sign(body)
    for (const at of [0, 20, Math.floor(body.length / 2), body.length - 1]) {
      const bytes = Buffer.from(body)
      bytes[at] = (bytes[at] as number) ^ 1
      await assertRefused(bytes, signature)
    }
    await assertRefused(`${body} `, signature)
    await assertRefused(body.slice(0, -1), signature)
    await assertRefused('', signature)
  })

  it('a signature 301 s old, or 301 s ahead', async () => {
    const body = makeEvent()
    await assertRefused(body, sign(body, 'test', -301_000))
    await assertRefused(body, sign(body, 'test', 302_000))
  })

  it('a time that was changed after signing', async () => {
    const body = makeEvent()
    const old = sign(body, 'test', -600_000)
    await assertRefused(body, old.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000)}`))
  })

  it('the wrong mode, though rightly signed', async () => {
    const live = makeEvent(true)
    await assertRefused(live, sign(live))
    const test = makeEvent(false)
    await assertRefused(test, sign(test, 'live'), 'live')
  })

  it('what is rightly signed but no event', async () => {
    for (const body of ['[]', '{}', 'null', '"x"', '{"id":"evt_1"}', 'not json']) {
      await assertRefused(body, sign(body))
    }
  })
})

describe('other requests there', () => {
  it('of an unknown environment find nothing, and by GET no answer', async () => {
    assert.equal((await send(makeEvent(), undefined, 'production')).status, 404)
    const { status, headers } = await shop.request('GET', '/provider/webhooks/test', { key: null })
    assert.deepEqual([status, headers.allow], [405, 'POST'])
  })

  it('over 1 MiB are refused before they are read', async () => {
    const answer = await send('x'.repeat(1024 * 1024 + 1), 't=1,v1=x')
    assert.equal(answer.status, 413)
  })
})
