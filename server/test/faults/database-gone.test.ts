// The database gone, silent or swallowing: every request ends within five seconds with 503 and an error, and all heals by itself.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ProxiedService, startProxiedService } from './proxied-service.ts'

let proxied: ProxiedService
before(async () => {
  proxied = await startProxiedService()
})
after(() => proxied.close())

const ask: ProxiedService['ask'] = (...request) => proxied.ask(...request)

// More than fits into the buffers of a connection whose body nobody reads yet.
const largeBatch = {
  events: Array.from({ length: 100 }, (_, n) => ({
    customerId: 'x',
    featureKey: 'y',
    eventKey: `large-${n}`,
    metadata: Object.fromEntries(Array.from({ length: 15 }, (_, key) => [`k${key}`, 'v'.repeat(500)])),
  })),
}

const askAll = () =>
  Promise.all([
    ask('GET', '/v1/features'),
    ask('GET', '/v1/customers/x'),
    ask('GET', '/v1/customers'),
    ask('POST', '/v1/customers', { customerId: 'lost' }),
    ask('POST', '/v1/features', { featureKey: 'lost', name: 'x', type: 'limit' }),
    ask('POST', '/v1/usage', { customerId: 'x', featureKey: 'y', eventKey: 'z' }),
    ask('POST', '/v1/usage/batch', largeBatch),
    ask('POST', '/v1/customers/x/checkout', { productKey: 'y' }),
  ])

// The promise is five seconds, and our clock for it 4.5: the rest is for a busy machine.
const promisedMs = 7_000

async function assertUnavailable(): Promise<void> {
  const [answers, ready] = await Promise.all([askAll(), ask('GET', '/readyz')])
  for (const { status, headers, body, ms } of answers) {
    assert.equal(status, 503, JSON.stringify(body))
    assert.match(body.error, /\w/)
    assert.equal(headers['retry-after'], '1')
    assert.ok(ms <= promisedMs, `${ms} ms`)
  }
  assert.ok(ready.status === 503 && ready.ms <= promisedMs, `${ready.status} in ${ready.ms} ms`)
  assert.equal((await ask('GET', '/livez')).status, 200)
}

async function assertHealed(): Promise<void> {
  const deadlineAt = Date.now() + 10_000
  while ((await ask('GET', '/readyz')).status !== 200 || (await ask('GET', '/v1/features')).status !== 200) {
    assert.ok(Date.now() < deadlineAt, 'not healed within 10 s')
    await sleep(50)
  }
  const statuses = (await askAll()).map((answer) => answer.status)
  assert.ok(
    statuses.every((status) => status < 500),
    statuses.join(),
  )
  for (const path of ['/v1/customers/lost', '/v1/features/lost']) await ask('DELETE', path)
}

describe('without its database the service', () => {
  it('answers while all is well', assertHealed)

  for (const [fault, words] of [
    ['cut', 'connections are cut and none can be made'],
    ['hold', 'the database stands still'],
    ['swallow', 'what is sent is swallowed'],
  ] as const) {
    it(`says 503 within 5 s when ${words}, and heals by itself`, async () => {
      proxied.proxy[fault]()
      await assertUnavailable()
      proxied.proxy.mend()
      await assertHealed()
    })
  }

  it('says 503 within 5 s to whoever waits for a lock that nobody gives up', async () => {
    const { pool } = proxied.service.services.database
    assert.equal((await ask('POST', '/v1/customers', { customerId: 'locked' })).status, 201)
    const holder = await pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from customer for update')
      const { status, headers, ms } = await ask('PUT', '/v1/customers/locked', { name: 'x' })
      assert.deepEqual([status, headers['x-error-code']], [503, 'busy'])
      assert.ok(ms <= promisedMs, `${ms} ms`)
    } finally {
      await holder.query('rollback').catch(() => {})
      holder.release(true)
    }
    assert.equal((await ask('PUT', '/v1/customers/locked', { name: 'x' })).status, 200)
  })

  it('says that it is not ready when the schema is another', async () => {
    await proxied.service.services.database.pool.query(
      `update migration set name = '0001-other.sql' where name like '0001%'`,
    )
    const { status, headers } = await ask('GET', '/readyz')
    assert.deepEqual([status, headers['x-error-code']], [503, 'not_migrated'])
  })
})
