// tollkeeper audit: silent over a ledger that is as the service left it, and loud over every kind of difference.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runCommand, toDatabaseUrl } from '../cli/command.ts'
import { noon, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
let acme: string
before(async () => {
  fixture = await startUsageFixture()
  acme = await fixture.makeCustomer()
  await fixture.give(acme, 3)
  await fixture.give(acme, 3, { expiresAt: noon + 1_000 }, { headers: { 'idempotency-key': 'gift' } })
  const { eventId } = (await fixture.record(acme, 'a', { amount: 14 })).body
  await fixture.make('PUT', `/v1/usage/${eventId}`, { eventKey: 'b' })
  await fixture.record(acme, 'c', { amount: -1 })
  const live = { key: fixture.service.keys.live }
  const feature = { featureKey: 'calls', name: 'calls', type: 'limit' }
  await fixture.request('POST', '/v1/features', { ...live, body: feature })
  const product = { productKey: 'plan', name: 'plan' }
  await fixture.request('POST', '/v1/custom-products', { ...live, body: product })
})
after(() => fixture.close())

/** Changes rows as no request would, looks, and puts them back. */
async function plant(statements: string, undo: string): Promise<string[]> {
  await fixture.service.query(statements)
  const differences = await fixture.audit()
  await fixture.service.query(undo)
  assert.deepEqual(await fixture.audit(), [], 'undone')
  return differences.map((each) => each.check)
}

const kinds: [check: string, statements: string, undo: string][] = [
  [
    'provider customer',
    'update customer set provider_unknown_since = 1',
    'update customer set provider_unknown_since = null',
  ],
  [
    'counter total',
    'update usage_counter set total = total + 0.000001',
    'update usage_counter set total = 13',
  ],
  [
    'counter draws',
    `update usage_counter set draw_amount = '{2}'`,
    `update usage_counter set draw_amount = '{3}'`,
  ],
  [
    'counter draws',
    `create table kept as select * from usage_counter; update usage_counter set draw_bonus = '{}', draw_amount = '{}'`,
    `update usage_counter c set draw_bonus = k.draw_bonus, draw_amount = k.draw_amount from kept k; drop table kept`,
  ],
  ['bonus drawn', 'update bonus set drawn = 1 where drawn = 0', 'update bonus set drawn = 0 where drawn = 1'],
  [
    'bonus overdrawn',
    'update bonus set amount = 2.5, drawn = 2.5 where drawn = 3',
    'update bonus set amount = 3, drawn = 3 where amount = 2.5',
  ],
  [
    'draw of no bonus',
    `create table kept as select * from bonus_draw; update bonus_draw set bonus_id = gen_random_uuid()`,
    `update bonus_draw d set bonus_id = k.bonus_id from kept k where k.event_no = d.event_no; drop table kept`,
  ],
  [
    'last event',
    'update customer set last_event_at = last_event_at - 1',
    'update customer set last_event_at = last_event_at + 1',
  ],
  [
    'used features',
    `create table kept as select * from customer; update customer set used_features = '{}'`,
    `update customer c set used_features = k.used_features from kept k where k.customer_uid = c.customer_uid;
     drop table kept`,
  ],
  ['last event', 'update customer set last_event_at = null', `update customer set last_event_at = ${noon}`],
  [
    'alias of no event',
    'update usage_event set alias_of = gen_random_uuid() where alias_of is not null',
    `update usage_event a set alias_of = e.key_hash from usage_event e
     where a.alias_of is not null and e.event_no = a.event_no and e.alias_of is null`,
  ],
  [
    'customer hash',
    `update customer set customer_id = 'x' || customer_id`,
    `update customer set customer_id = substr(customer_id, 2)`,
  ],
  [
    'row of no customer',
    `insert into bonus_request select gen_random_uuid(), gen_random_uuid(), body_hash, answer from bonus_request`,
    'delete from bonus_request r where not exists (select from customer c where c.customer_uid = r.customer_uid)',
  ],
  [
    'default products',
    `drop index product_one_default; update product set is_default = true where environment = 'test';
     insert into product (product_id, environment, product_key, name, type, is_default, created_at)
     values (gen_random_uuid(), 'test', 'second', 'second', 'custom', true, 0)`,
    `delete from product where product_key = 'second'; update product set is_default = false`,
  ],
  [
    'other environment',
    `update customer_product set product_id = (select product_id from product where environment = 'live')`,
    `update customer_product set product_id = (select product_id from product where environment = 'test')`,
  ],
  [
    'other environment',
    `update feature_access_entry set feature_id = (select feature_id from feature where environment = 'live')`,
    `update feature_access_entry set feature_id = (select feature_id from feature where environment = 'test')`,
  ],
  [
    'other environment',
    `update feature set environment = 'live', feature_key = 'strange' where environment = 'test'`,
    `update feature set environment = 'test', feature_key = 'calls' where feature_key = 'strange'`,
  ],
]

describe('auditLedger', () => {
  it('finds nothing where nothing is wrong', async () => {
    assert.deepEqual(await fixture.audit(), [])
  })

  for (const [check, statements, undo] of kinds) {
    it(`finds: ${check} (${statements.replaceAll(/\s+/g, ' ').slice(0, 70)}…)`, async () => {
      assert.ok((await plant(statements, undo)).includes(check))
    })
  }
})

describe('the command', () => {
  const run = (words: string[] = [], connection = fixture.service.database.connection) =>
    runCommand(['audit', ...words], { DATABASE_URL: toDatabaseUrl(connection) })

  it('ends with 0 and a summary when all is well', async () => {
    const { code, stdout, stderr } = await run()
    assert.equal(code, 0, stderr)
    assert.equal(stdout, 'Audited 1 customers, 2 events, 1 counters, 2 bonuses: no differences.\n')
  })

  it('ends with 1 and a line for each difference', async () => {
    await fixture.service.query('update usage_counter set total = 12')
    const { code, stdout } = await run()
    await fixture.service.query('update usage_counter set total = 13')
    assert.equal(code, 1)
    const [line, summary] = stdout.split('\n') as [string, string]
    assert.match(
      line,
      /^counter total: customer test customer-1, feature calls, from \d+ to \d+: stored 12, expected 13$/,
    )
    assert.match(summary, /: 1 differences\.$/)
  })

  it('takes no arguments', async () => {
    const { code, stderr } = await run(['now'])
    assert.deepEqual([code, stderr.split('\n')[0]], [2, 'There is no use for "now" here.'])
  })

  it('says so when the database is not one of this version, and leaves it as it is', async () => {
    const { code, stderr } = await run([], { ...fixture.service.database.connection, database: 'postgres' })
    assert.deepEqual([code, stderr.includes('does not have the schema')], [1, true], stderr)
  })
})
