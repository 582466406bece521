// What deleted features and customers leave behind is cleared away, and only that.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { purgeCustomers, purgeFeatures } from '../../src/operations/customers/purge.ts'
import type { Services } from '../../src/operations/services.ts'
import { customerTables } from '../../src/storage/customers/customer-tables.ts'
import { customerHash, hashToUuid, makeCustomerUid } from '../../src/storage/customers/customer-uid.ts'
import { deleteCustomerRow, insertCustomer } from '../../src/storage/customers/customers.ts'
import { purgeCustomerStep } from '../../src/storage/customers/purges.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { startTestService, type TestService } from '../service.ts'

let service: TestService

before(async () => {
  service = await startTestService()
})
after(() => service.close())

const post = async (path: string, body: object) => {
  const answer = await service.request('POST', path, { body })
  assert.ok(answer.status < 300, answer.text)
}

const countRows = async () => {
  const rows = await service.query(
    `select (select count(*) from usage_event) as events, (select count(*) from usage_counter) as counters,
       (select count(*) from bonus) as bonuses, (select count(*) from bonus_draw) as draws,
       (select count(*) from feature_purge) as purges`,
  )
  return Object.values(rows[0] as object).map(Number)
}

/** Works the list off; the service's own worker may be at it as well, and who comes second finds it locked. */
async function untilEmpty(list: string, purge: (services: Services) => Promise<number>): Promise<void> {
  const { services } = service.instances[0] as TestService['instances'][0]
  const deadlineAt = Date.now() + 10_000
  for (;;) {
    await purge(services)
    if ((await service.query(`select from ${list}`)).length === 0) return
    assert.ok(Date.now() < deadlineAt, 'the purge does not end')
    await sleep(10)
  }
}

describe('the ledger of a deleted feature', () => {
  it('is purged customer by customer, and other features keep theirs', async () => {
    for (const featureKey of ['gone', 'kept']) {
      await post('/v1/features', { featureKey, name: featureKey, type: 'limit' })
    }
    const featureAccess = ['gone', 'kept'].map((featureKey) => ({ featureKey, hasAccess: true, limit: 1 }))
    await post('/v1/custom-products', { productKey: 'p', name: 'P', isDefault: true, featureAccess })
    for (const customerId of ['a', 'b', 'c']) {
      await post('/v1/customers', { customerId })
      for (const featureKey of ['gone', 'kept']) {
        await post('/v1/bonuses', { customerId, featureKey, amount: 5 })
        await post('/v1/usage', { customerId, featureKey, eventKey: 'e', amount: 3 })
      }
    }
    assert.deepEqual(await countRows(), [6, 6, 6, 6, 0])
    const { status } = await service.request('DELETE', '/v1/features/gone')
    assert.equal(status, 200)

    await untilEmpty('feature_purge', purgeFeatures)

    assert.deepEqual(await countRows(), [3, 3, 3, 3, 0])
    const access = await service.request('GET', '/v1/feature-access?customerId=b')
    assert.equal((access.body as Record<string, { usage: { used: number } }>).kept?.usage.used, 3)
  })
})

describe('a customer that was deleted', () => {
  const uidOf = async (customerId: string) => {
    const rows = await service.query('select customer_uid from customer where customer_id = $1', [customerId])
    return rows[0]?.customer_uid as string | undefined
  }

  it('can be made anew at once, with fresh keys, and only what the one before owned goes', async () => {
    const customerId = 'phoenix'
    const use = async () => {
      await post('/v1/customers', { customerId })
      const body = { customerId, featureKey: 'kept', eventKey: 'e', amount: 3 }
      const answer = await service.request('POST', '/v1/usage', { body })
      assert.deepEqual([answer.body.applied, answer.body.used], [true, 3])
      const headers = { 'idempotency-key': 'same' }
      const bonus = { body: { customerId, featureKey: 'kept', amount: 5 }, headers }
      assert.equal((await service.request('POST', '/v1/bonuses', bonus)).status, 201)
      return (await uidOf(customerId)) as string
    }
    const first = await use()
    assert.equal((await service.request('DELETE', `/v1/customers/${customerId}`)).status, 200)
    const second = await use()
    assert.notEqual(second, first)

    await untilEmpty('customer_purge', purgeCustomers)
    for (const { name } of customerTables) {
      const rows = await service.query(`select from ${name} where customer_uid = $1`, [first])
      assert.equal(rows.length, 0, name)
    }
    const usage = async () =>
      (await service.request('GET', `/v1/feature-access?customerId=${customerId}`)).body.kept.usage
    const { used, bonusUsed, bonusRemaining } = await usage()
    assert.deepEqual([used, bonusUsed, bonusRemaining], [3, 2, 3])
  })
})

describe('the purge of a customer', () => {
  let test: TestDatabase
  let database: Database
  before(async () => {
    test = await createTestDatabase()
    database = openDatabase({ connection: test.connection, poolSize: 2 })
  })
  after(async () => {
    await database.close()
    await test.drop()
  })

  const hash = customerHash('test', 'acme')

  async function makeCustomer(): Promise<string> {
    const uid = makeCustomerUid(hash)
    const named = { customerUid: uid, customerHash: hash, environment: 'test', customerId: 'acme' } as const
    const times = { createdAt: 1, usageStartedAt: 1 }
    const isNew = await insertCustomer(database.pool, {
      ...named,
      ...times,
      name: undefined,
      email: undefined,
      metadata: {},
    })
    assert.equal(isNew, true)
    return uid
  }

  /** So many rows in every table that a customer owns, the same keys each time. */
  async function fill(uid: string, rows: number): Promise<void> {
    for (let index = 0; index < rows; index++) {
      const key = hashToUuid(String(index))
      const insert = (table: string, columns: string, values: unknown[]) =>
        database.pool.query(
          `insert into ${table} (customer_uid, ${columns}) values ($1, ${values.map((_, at) => `$${at + 2}`)})`,
          [uid, ...values],
        )
      await insert('usage_event', 'feature_no, key_hash, event_no, occurred_at, amount', [
        1,
        key,
        index,
        1,
        1,
      ])
      await insert('usage_counter', 'period_end, feature_no, period_start, total', [index, 1, 0, 1])
      await insert('bonus', 'bonus_id, feature_no, amount, created_at, updated_at', [key, 1, 1, 1, 1])
      await insert('bonus_draw', 'feature_no, drawn_at, event_no, position, bonus_id, amount', [
        1,
        1,
        index,
        0,
        key,
        1,
      ])
      await insert('bonus_request', 'key_hash, body_hash, answer', [key, key, '[]'])
      await insert('customer_product', 'product_id, version, started_at', [key, 1, 1])
      await insert('subscription', 'subscription_id, status, phase, started_at, billing_anchor_at', [
        key,
        'active',
        'granting',
        1,
        1,
      ])
      await insert(
        'subscription_item',
        'subscription_id, item_id, provider_product_id, provider_price_id, quantity, is_active, current_period_start, current_period_end',
        [key, key, 'product', 'price', 1, true, 1, 1],
      )
      await insert('checkout', 'checkout_key, request_hash, created_at, superseded_at', [key, key, 1, 1])
      const sums = [index, 1, 1, 1, 1]
      await insert('usage_hour', 'hour_at, feature_no, product_no, amount, events, last_at', [...sums, 1])
      await insert('usage_day', 'day_at, feature_no, amount, events', sums.slice(0, 4))
      await insert('customer_standing', 'feature_no, environment, used, is_hottest', [
        index,
        'test',
        1,
        false,
      ])
      await insert('limit_change', 'feature_no, changed_at', [index, 1])
      await insert('customer_held', 'product_no, version', [index, 1])
    }
  }

  const count = async (uid: string) =>
    Promise.all(
      customerTables.map(async ({ name }) => {
        const text = `select count(*) as rows from ${name} where customer_uid = $1`
        return Number((await database.pool.query(text, [uid])).rows[0].rows)
      }),
    )

  const step = () => database.inTransaction((sql) => purgeCustomerStep(sql, 10))

  it('knows every table that a customer owns', async () => {
    const { rows } = await database.pool.query<{ table_name: string }>(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'customer_uid'
         and table_name not in ('customer', 'customer_purge', 'audit_entry')`,
    )
    const names = rows.map((row) => row.table_name).sort()
    assert.deepEqual(names, customerTables.map(({ name }) => name).toSorted())
  })

  it('goes in steps through all its tables, and leaves the customer made anew alone', async () => {
    const first = await makeCustomer()
    await fill(first, 25)
    await database.inTransaction((sql) => deleteCustomerRow(sql, first))
    assert.equal(await step(), true)
    // The same keys are free for the next customer of that id, though rows of the one before are still there.
    const second = await makeCustomer()
    await fill(second, 3)
    // Of what is due a customer has one row.
    const full = customerTables.map(({ name }) => (name === 'statistics_due' ? 1 : 3))
    let before = await count(first)
    assert.ok(before.some((rows) => rows > 0))
    for (let steps = 0; ; steps++) {
      assert.ok(steps < 100, 'the purge does not end')
      if (!(await step())) break
      const after = await count(first)
      for (const [table, rows] of after.entries()) {
        const gone = (before[table] as number) - rows
        assert.ok(gone >= 0 && gone <= 10, `${gone} rows of ${customerTables[table]?.name} at once`)
      }
      before = after
    }
    assert.deepEqual(
      before,
      customerTables.map(() => 0),
    )
    assert.deepEqual(await count(second), full)
    assert.deepEqual((await database.pool.query('select from customer_purge')).rows, [])
  })

  it('lets one at a time work on a customer, and nobody wait', async () => {
    const uid = makeCustomerUid(customerHash('test', 'other'))
    await fill(uid, 1)
    await database.pool.query('insert into customer_purge (customer_uid, environment) values ($1, $2)', [
      uid,
      'test',
    ])
    await database.inTransaction(async (sql) => {
      assert.equal(await purgeCustomerStep(sql, 10), true)
      assert.equal(await step(), false)
    })
    assert.deepEqual(
      await count(uid),
      customerTables.map(() => 0),
    )
  })
})
