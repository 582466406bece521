// A customer that changes without rest while it is read: the read ends, and when its caller was answered nothing goes on for it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from './held-lock.ts'
import { openRaces, type Races } from './races-fixture.ts'

let races: Races
before(async () => {
  races = await openRaces({ instances: 2 })
})
after(() => races.close())

/**
 * From here on every look at a customer finds another revision than the look before, as if it had been written to in between:
 * the table is seen through a view that counts the looks. Says how it ends.
 */
async function disturb(): Promise<() => Promise<void>> {
  const { query } = races.service
  const [row] = await query(
    `select string_agg(case attname when 'revision' then 'nextval(''looks'') as revision' else attname end, ', ') as columns
     from pg_attribute where attrelid = 'customer'::regclass and attnum > 0 and not attisdropped`,
  )
  await query(
    `create sequence looks start with 2000000000000000;
     alter table customer rename to restful_customer;
     create view customer as select ${row?.columns} from restful_customer`,
  )
  return async () => {
    await query('drop view customer; alter table restful_customer rename to customer; drop sequence looks')
  }
}

async function countLooksInASecond(): Promise<number> {
  const count = async () => (await races.service.query('select last_value as count from looks'))[0]?.count
  const before = Number(await count())
  await sleep(1_000)
  return Number(await count()) - before
}

describe('a read of a customer that changes without rest', () => {
  for (const path of ['/v1/feature-access?customerId=', '/v1/customers/'])
    it(`GET ${path}… is answered in time, and nothing is asked for it afterwards`, async () => {
      const { query } = races.service
      const customerId = await races.makeCustomer()
      await races.record(customerId, 'e', { amount: 3 })
      // Its sum must be made from the ledger, in a look of its own that meets another revision than the first.
      await query(
        'delete from usage_counter where customer_uid = (select customer_uid from customer where customer_id = $1)',
        [customerId],
      )
      const calm = await disturb()
      try {
        const startedAt = performance.now()
        const { status, body } = await races.request('GET', path + customerId, undefined, { instance: 1 })
        assert.ok(performance.now() - startedAt < 7_000, 'five seconds are promised')
        assert.ok(status === 200 || status === 503, `${status}`)
        if (status === 200) assert.equal((body.calls ?? body.featureAccess?.calls)?.usage.used ?? 3, 3)
        // What was under way may end; whoever goes on looks hundreds of times a second.
        await eventually(
          countLooksInASecond,
          (looks) => assert.ok(looks < 20, `${looks} looks a second`),
          4_000,
        )
      } finally {
        await calm()
      }
    })
})
