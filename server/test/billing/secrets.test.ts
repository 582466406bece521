// Secrets of the payment side, and the links customers pay by, are in no log, no error and no row of ours.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signWebhook } from '@tollkeeper/simulator/src/events/delivery.ts'
import type { Service } from '../../src/service.ts'
import type { Answer } from '../service.ts'
import { addPayer, openShop, type Shop, stockShop, submit } from './shop-fixture.ts'

let shop: Shop
const logged: string[] = []
const write = process.stderr.write
before(async () => {
  process.stderr.write = ((chunk: string | Uint8Array) => {
    logged.push(String(chunk))
    return true
  }) as typeof process.stderr.write
  shop = await openShop({ variables: { LOG_LEVEL: 'trace' } })
  await stockShop(shop)
})
after(async () => {
  await shop.close()
  process.stderr.write = write
})

const errors: string[] = []
function note({ status, text, headers }: Answer): void {
  assert.ok(status >= 400, text)
  errors.push(text + JSON.stringify(headers))
}

/** Everything that can go right and wrong, once; returns the links that were made. */
async function live(): Promise<string[]> {
  const { secrets } = (shop.instances[0] as Service).simulatorAccess
  await addPayer(shop, 'ada')
  const path = '/v1/customers/ada/checkout'
  const checkout = (await shop.post(path, { productKey: 'pro', successUrl: 'https://shop.example/' })).body
    .url
  const paid = await submit(checkout, { card_number: '4242424242424242' })
  await fetch(paid.location ?? '', { redirect: 'manual' })
  const portal = (await shop.post('/v1/customers/ada/customer_portal')).body.url
  await fetch(portal)
  const params = { checkoutSessionParams: { nonsense: secrets.test.secretKey } }
  note(await shop.post(path, { productKey: 'pro', ...params }))
  note(await shop.get('/v1/customers', { key: `${shop.keys.test}x` }))
  for (const fault of ['server_error', 'rate_limited', 'lost_answer'] as const) {
    shop.simulator.faults.onRequest = () => fault
    note(await shop.post('/v1/customers/ada/customer_portal'))
    note(await shop.post(path, { productKey: 'pro', metadata: { fault } }))
    await shop.post('/v1/customers', { customerId: `during-${fault}` })
    await fetch(paid.location ?? '', { redirect: 'manual' })
  }
  shop.simulator.faults.reset()
  const body = JSON.stringify({ id: 'evt_1', type: 'x', livemode: true, data: { object: {} } })
  const headers = { 'stripe-signature': signWebhook(body, secrets.test.webhookSecret, Date.now()) }
  note(await shop.request('POST', '/provider/webhooks/test', { raw: body, headers, key: null }))
  return [checkout, portal]
}

/** Every row of every table, but the simulator's: those stand for the provider's own memory. */
async function dump(): Promise<string> {
  const tables = await shop.query(
    `select tablename from pg_tables where schemaname = 'public' and tablename not like 'simulator%'`,
  )
  const rows = []
  for (const { tablename } of tables) rows.push(...(await shop.query(`select t.* from "${tablename}" t`)))
  return JSON.stringify(rows)
}

describe('secrets', () => {
  it('stay where they are', async () => {
    const links = await live()
    const { secrets } = (shop.instances[0] as Service).simulatorAccess
    const hidden = [
      ...Object.values(secrets).flatMap(({ secretKey, webhookSecret }) => [secretKey, webhookSecret]),
      ...Object.values(shop.keys),
      ...links,
    ]
    const places = { logs: logged.join(''), errors: errors.join(''), database: await dump() }
    assert.match(places.logs, /provider/)
    assert.match(places.database, /"customer_id":"ada"/)
    for (const [place, text] of Object.entries(places)) {
      for (const [n, secret] of hidden.entries()) assert.ok(!text.includes(secret), `secret ${n} in ${place}`)
    }
    // The id of a session opens its page at the simulator, so logs and errors do not name it either.
    for (const link of links) {
      const id = link.split('/').at(-1) as string
      assert.ok(!places.logs.includes(id) && !places.errors.includes(id))
    }
  })
})
