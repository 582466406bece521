// Writing changes of ledgers to a real database: only what is confirmed is written, whole; and writes and changes of the
// catalogue fence one another.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Catalogue } from '../../src/domain/catalogue/catalogue.ts'
import type { Environment } from '../../src/domain/environment.ts'
import type { Moment } from '../../src/domain/ledger/account.ts'
import { type LedgerChange, startChange } from '../../src/domain/ledger/change.ts'
import type { UsageEvent } from '../../src/domain/ledger/usage-event.ts'
import { openMoment } from '../../src/storage/catalogue/moment.ts'
import { customerHash, hashToUuid, makeCustomerUid } from '../../src/storage/customers/customer-uid.ts'
import type { Sql } from '../../src/storage/database.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { loadStatesByUid } from '../../src/storage/ledger/load-states.ts'
import { type RunStatement, saveChanges } from '../../src/storage/ledger/save-changes.ts'
import { saveFurther } from '../../src/storage/ledger/save-further.ts'
import { openPipelinedConnection, type PipelinedConnection } from '../../src/storage/pipelined-connection.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { bonus, catalogue, counter, draws, now, state, units } from '../domain/ledger-samples.ts'
import { event } from '../domain/task-samples.ts'

/** As the statement that saves does it. */
async function confirmMoment(sql: Sql, { catalogue, now }: Moment): Promise<boolean> {
  const { rows } = await sql.query<{ is_confirmed: boolean }>(
    'select confirm_moment($1, $2, $3) as is_confirmed',
    [catalogue.environment, catalogue.revision, now],
  )
  return rows[0]?.is_confirmed ?? false
}

let test: TestDatabase
let database: Database
let connection: PipelinedConnection
before(async () => {
  test = await createTestDatabase()
  database = openDatabase({ connection: test.connection, poolSize: 4 })
  connection = openPipelinedConnection(database.config)
  // The samples' own time, so that their periods are not over.
  await setClock(now)
})
after(async () => {
  await connection.close()
  await database.close()
  await test.drop()
})

const setClock = (frozenAt: number | null) =>
  database.pool.query('update environment set frozen_at = $1', [frozenAt])

const run: RunStatement = (...statement) => connection.query(...statement)

let customers = 0
/** The uid of a new customer at revision 1. */
async function makeCustomer(environment: Environment = 'test'): Promise<string> {
  const customerId = `customer-${customers++}`
  const hash = customerHash(environment, customerId)
  const uid = makeCustomerUid(hash)
  await database.pool.query(
    `insert into customer (customer_uid, customer_hash, environment, customer_id, created_at, usage_started_at)
     values ($1, $2, $3, $4, $5, $5)`,
    [uid, hash, environment, customerId, now],
  )
  return uid
}

const keyOf = (key: string): string => hashToUuid(key)

const eventOf = (key: string, more: Partial<UsageEvent> = {}): UsageEvent =>
  event(2, { keyHash: keyOf(key), eventKey: key, eventNo: 2, ...more })

/** Records an event with this key as the customer's second write, unless told otherwise. */
function changeOf(uid: string, key: string, more: Partial<LedgerChange> = {}): LedgerChange {
  const { customer } = state()
  return {
    ...startChange(state({ customer: { ...customer, customerUid: uid } })),
    nextRevision: 2,
    lastEventAt: now,
    usedFeatures: [1],
    insertedEvents: [eventOf(key)],
    counters: [counter(2)],
    ...more,
  }
}

/** A change that writes nothing; the customer is only confirmed. */
const emptyChange = (uid: string, more: Partial<LedgerChange> = {}): LedgerChange => {
  const { customer } = state()
  return { ...startChange(state({ customer: { ...customer, customerUid: uid } })), ...more }
}

const revisionOf = async (environment: Environment): Promise<number> =>
  (await openMoment(database.pool, environment)).catalogueRevision

/** The moment that is in force, or one whose catalogue is some revisions off. */
async function momentOf(environment: Environment = 'test', off = 0, at = now) {
  const revision = (await revisionOf(environment)) + off
  const current: Catalogue = { ...catalogue([], [], revision), environment }
  return { catalogue: current, now: at }
}

const uidsOf = (rows: { customer_uid: string }[]) => rows.map((row) => row.customer_uid)

/** Which of these have an event, a counter, and a raised revision. */
async function find(uids: string[]) {
  const events = `select distinct customer_uid from usage_event where customer_uid = any($1::uuid[])`
  const counters = `select distinct customer_uid from usage_counter where customer_uid = any($1::uuid[])`
  const raised = `select customer_uid from customer where customer_uid = any($1::uuid[]) and revision > 1`
  const [written, counted, moved] = await Promise.all(
    [events, counters, raised].map(async (text) => {
      const { rows } = await database.pool.query<{ customer_uid: string }>(text, [uids])
      return new Set(uidsOf(rows))
    }),
  )
  return { written, counted, moved }
}

async function assertWritten(uids: string[], expected: string[]): Promise<void> {
  const { written, counted, moved } = await find(uids)
  for (const found of [written, counted, moved]) assert.deepEqual(found, new Set(expected))
}

describe('a change', () => {
  let [a, b, c] = ['', '', '']
  beforeEach(async () => {
    ;[a, b, c] = [await makeCustomer(), await makeCustomer(), await makeCustomer()]
  })

  it('is written whole: event, counter, revision and what the customer knows of its ledger', async () => {
    const metadata = { 'a "quoted" key': 'back\\slash, {brace}' }
    const odd = eventOf('odd, "key"', { metadata, sentUsed: units(7), sentOccurredAt: now - 5 })
    const saved = await saveChanges(run, [await momentOf()], [changeOf(a, '', { insertedEvents: [odd] })])
    assert.deepEqual(saved, { written: new Set([a]), taken: new Set() })
    const { rows } = await database.pool.query('select * from usage_event where customer_uid = $1', [a])
    const [row] = rows
    assert.deepEqual([row.event_key, row.metadata], ['odd, "key"', metadata])
    assert.deepEqual([row.event_no, Number(row.amount), Number(row.sent_used)], [2, 2, 7])
    assert.deepEqual([row.occurred_at, row.sent_occurred_at], [now, now - 5])
    const loaded = (await loadStatesByUid(database.pool, [a])).get(a)
    assert.deepEqual([loaded?.revision, loaded?.customer.lastEventAt], [2, now])
    assert.deepEqual(loaded?.customer.usedFeatures, [1])
  })

  it('of another revision is told back and writes nothing, and the others go on', async () => {
    await database.pool.query('update customer set revision = 1 where customer_uid = $1', [b])
    const stale = changeOf(b, 'e', { revision: 7, nextRevision: 8 })
    const saved = await saveChanges(run, [await momentOf()], [changeOf(c, 'e'), stale, changeOf(a, 'e')])
    assert.deepEqual(saved, { written: new Set([a, c]), taken: new Set() })
    await assertWritten([a, b, c], [a, c])
  })

  it('of a customer that is gone is told back and writes nothing', async () => {
    const gone = makeCustomerUid(customerHash('test', 'gone'))
    const saved = await saveChanges(run, [await momentOf()], [changeOf(gone, 'e'), emptyChange(c)])
    assert.deepEqual(saved, { written: new Set([c]), taken: new Set() })
    await assertWritten([gone, c], [])
  })

  it('whose key is taken tells back only its customer', async () => {
    const moment = await momentOf()
    await saveChanges(run, [moment], [changeOf(b, 'e')])
    const again = changeOf(b, 'e', { revision: 2, nextRevision: 3 })
    const saved = await saveChanges(run, [moment], [changeOf(a, 'e'), again, changeOf(c, 'e')])
    assert.deepEqual(saved, { written: new Set([a, c]), taken: new Set([b]) })
    const { rows } = await database.pool.query('select revision from customer where customer_uid = $1', [b])
    assert.deepEqual(rows, [{ revision: 2 }])
  })

  it('whose key is a further key of another event is told back as taken', async () => {
    const moment = await momentOf()
    await saveChanges(run, [moment], [changeOf(a, 'e')])
    const alias = { keyHash: keyOf('other'), event: eventOf('e') }
    await saveFurther(database.pool, emptyChange(a, { aliases: [alias] }))
    const taken = changeOf(a, 'other', { revision: 2, nextRevision: 3 })
    assert.deepEqual((await saveChanges(run, [moment], [taken])).taken, new Set([a]))
  })

  it('that took a key to be free which is not is told back, though it writes nothing', async () => {
    const moment = await momentOf()
    await saveChanges(run, [moment], [changeOf(a, 'e'), changeOf(b, 'e')])
    const freeKeys = [{ featureNo: 1, keyHash: keyOf('e') }]
    const saved = await saveChanges(
      run,
      [moment],
      [
        emptyChange(a, { revision: 2, nextRevision: 2, freeKeys }),
        emptyChange(b, { revision: 2, nextRevision: 2, freeKeys: [{ featureNo: 2, keyHash: keyOf('e') }] }),
      ],
    )
    assert.deepEqual(saved, { written: new Set([b]), taken: new Set([a]) })
  })

  it('that is empty is confirmed without touching the row, and not where the revision is another', async () => {
    const versionOf = async (uid: string) =>
      (await database.pool.query('select xmin, ctid from customer where customer_uid = $1', [uid])).rows
    const before = await versionOf(a)
    const other = emptyChange(b, { revision: 2, nextRevision: 2 })
    const saved = await saveChanges(run, [await momentOf()], [emptyChange(a), other])
    assert.deepEqual(saved, { written: new Set([a]), taken: new Set() })
    assert.deepEqual(await versionOf(a), before)
  })

  it('that is empty is confirmed while somebody else has the customer locked', async () => {
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from customer where customer_uid = $1 for update', [a])
      const saved = await saveChanges(run, [await momentOf()], [emptyChange(a)])
      assert.deepEqual(saved.written, new Set([a]))
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('meets a revision that is raised while it waits for the lock, and writes nothing', async () => {
    const moment = await momentOf()
    const client = await database.pool.connect()
    let saving: ReturnType<typeof saveChanges> | undefined
    try {
      await client.query('begin')
      await client.query('update customer set revision = revision + 1 where customer_uid = $1', [a])
      saving = saveChanges(run, [moment], [changeOf(a, 'e'), changeOf(b, 'e')])
      await untilSomebodyWaits('transactionid')
    } finally {
      await client.query('commit')
      client.release()
    }
    assert.deepEqual(await saving, { written: new Set([b]), taken: new Set() })
    assert.deepEqual((await find([a, b])).written, new Set([b]))
  })

  it('writes draws, bonuses and counters together, and for a stale one none of them', async () => {
    const moment = await momentOf()
    const [one, two] = [hashToUuid('bonus one'), hashToUuid('bonus two')]
    for (const uid of [a, b]) {
      const insertedBonuses = [bonus(one, 5), bonus(two, 5)]
      await saveFurther(database.pool, emptyChange(uid, { insertedBonuses }))
    }
    const drawing = (uid: string, revision: number) =>
      changeOf(uid, 'e', {
        revision,
        nextRevision: revision + 1,
        counters: [
          {
            ...counter(8),
            draws: [
              { bonusId: one, amount: units(5) },
              { bonusId: two, amount: units(1) },
            ],
          },
          { ...counter(3), featureNo: 2 },
        ],
        drawnBonuses: [bonus(one, 5, { drawn: units(5) }), bonus(two, 5, { drawn: units(1) })],
        drawn: [
          { featureNo: 1, drawnAt: now, eventNo: 2, position: 0, bonusId: one, amount: units(5) },
          { featureNo: 1, drawnAt: now, eventNo: 2, position: 1, bonusId: two, amount: units(1) },
        ],
      })
    const saved = await saveChanges(run, [moment], [drawing(a, 1), drawing(b, 6), changeOf(c, 'e')])
    assert.deepEqual(saved.written, new Set([a, c]))
    const loaded = await loadStatesByUid(database.pool, [a, b, c])
    const spelled = (uid: string) => {
      const found = loaded.get(uid)
      return [
        found?.bonuses.map((each) => Number(each.drawn) / 1e6).sort(),
        found?.counters
          .toSorted((x, y) => x.featureNo - y.featureNo)
          .map((each) => [each.featureNo, Number(each.total) / 1e6, each.draws.map((draw) => draw.bonusId)]),
      ]
    }
    assert.deepEqual(spelled(a), [
      [1, 5],
      [
        [1, 8, [one, two]],
        [2, 3, []],
      ],
    ])
    assert.deepEqual(spelled(b), [[0, 0], []])
    assert.deepEqual(spelled(c), [[], [[1, 2, []]]])
    const { rows } = await database.pool.query(
      'select customer_uid, event_no, position, bonus_id, amount from bonus_draw where customer_uid = any($1) order by position',
      [[a, b, c]],
    )
    assert.deepEqual(
      rows.map((row) => [row.customer_uid, row.event_no, row.position, row.bonus_id, Number(row.amount)]),
      [
        [a, 2, 0, one, 5],
        [a, 2, 1, two, 1],
      ],
    )
  })

  it('without draws leaves the draws of its counters as they are stored, and one that returned all clears them', async () => {
    const moment = await momentOf()
    const one = hashToUuid('bonus one')
    const drawn = [{ bonusId: one, amount: units(1) }]
    await saveFurther(database.pool, emptyChange(a, { insertedBonuses: [bonus(one, 5)] }))
    await saveChanges(run, [moment], [changeOf(a, 'e', { counters: [{ ...counter(4), draws: drawn }] })])
    const next = (revision: number, more: Partial<LedgerChange>) =>
      saveChanges(
        run,
        [moment],
        [changeOf(a, `${revision}`, { revision, nextRevision: revision + 1, ...more })],
      )
    const drawsOf = async () =>
      (await loadStatesByUid(database.pool, [a]))
        .get(a)
        ?.counters.map(({ total, draws: each }) => [total, each])
    await next(2, { counters: [counter(5)] })
    assert.deepEqual(await drawsOf(), [[units(5), drawn]])
    await next(3, {
      counters: [counter(1)],
      returned: [{ featureNo: 1, period: counter(1).period, amount: units(1) }],
    })
    assert.deepEqual(await drawsOf(), [[units(1), draws('')]])
  })

  it('is written for a thousand customers at once', async () => {
    const uids: string[] = []
    for (let index = 0; index < 1_000; index++) uids.push(await makeCustomer())
    const saved = await saveChanges(
      run,
      [await momentOf()],
      uids.map((uid) => changeOf(uid, 'e')),
    )
    assert.equal(saved.written.size, 1_000)
    await assertWritten(uids, uids)
  })
})

describe('a moment that has passed', () => {
  it('writes nothing for its environment, but everything for the other', async () => {
    const [a, b, live] = [await makeCustomer(), await makeCustomer(), await makeCustomer('live')]
    const moments = [await momentOf('test'), await momentOf('live')]
    await database.pool.query(
      `update environment set catalogue_revision = catalogue_revision + 1 where environment = 'test'`,
    )
    const saved = await saveChanges(run, moments, [changeOf(a, 'e'), emptyChange(b), changeOf(live, 'e')])
    assert.deepEqual(saved, { written: new Set([live]), taken: new Set() })
    await assertWritten([a, b, live], [live])
  })

  it('has not come yet where it lies ahead of the clock, frozen or running', async () => {
    const uid = await makeCustomer()
    const write = async (at: number) =>
      (await saveChanges(run, [await momentOf('test', 0, at)], [changeOf(uid, 'e')])).written.size
    assert.equal(await write(now + 1), 0)
    await setClock(null)
    try {
      assert.equal(await write(Date.now() + 60_000), 0)
    } finally {
      await setClock(now)
    }
    await assertWritten([uid], [])
    assert.equal(await write(now), 1)
  })

  it('writes for nobody whose environment has no moment', async () => {
    const [a, live] = [await makeCustomer(), await makeCustomer('live')]
    const saved = await saveChanges(run, [await momentOf('test')], [changeOf(a, 'e'), changeOf(live, 'e')])
    assert.deepEqual(saved.written, new Set([a]))
    await assertWritten([a, live], [a])
  })
})

/** Somebody waits for a lock of this kind. */
async function untilSomebodyWaits(kind: 'advisory' | 'transactionid', count = 1): Promise<void> {
  const deadlineAt = Date.now() + 5_000
  for (;;) {
    const { rows } = await database.pool.query(
      `select from pg_locks where not granted and locktype = $1
       and (database is null or database = (select oid from pg_database where datname = current_database()))`,
      [kind],
    )
    if (rows.length >= count) return
    assert.ok(Date.now() < deadlineAt, 'nobody waits')
    await sleep(5)
  }
}

describe('a write and a change of the catalogue', () => {
  const raise = `update environment set catalogue_revision = catalogue_revision + 1 where environment = $1`
  let clients: pg.Client[] = []
  const open = async () => {
    const client = new pg.Client(test.connection)
    await client.connect()
    clients.push(client)
    return client
  }
  beforeEach(async (t) => {
    clients = []
    if ('after' in t) t.after(() => Promise.all(clients.map((client) => client.end())))
  })

  it('fence one another: the change waits for a write in flight', async () => {
    const [writer, changer] = [await open(), await open()]
    await writer.query('begin')
    assert.equal(await confirmMoment(writer, await momentOf()), true)
    await changer.query('begin')
    await changer.query(raise, ['test'])
    let isOver = false
    const waiting = changer.query('select await_writes($1)', ['test']).then(() => {
      isOver = true
    })
    await untilSomebodyWaits('advisory')
    assert.equal(isOver, false)
    await writer.query('commit')
    await waiting
    await changer.query('commit')
  })

  it('fence one another: a write that begins while the change commits waits, and sees the new revision', async () => {
    const uid = await makeCustomer()
    const old = await momentOf()
    const changer = await open()
    await changer.query('begin')
    await changer.query(raise, ['test'])
    await changer.query('select await_writes($1)', ['test'])
    const stale = saveChanges(run, [old], [changeOf(uid, 'e')])
    const opened = open().then(async (client) => openMoment(client, 'test'))
    await untilSomebodyWaits('advisory', 2)
    await changer.query('commit')
    assert.deepEqual(await stale, { written: new Set(), taken: new Set() })
    assert.equal((await opened).catalogueRevision, old.catalogue.revision + 1)
    await assertWritten([uid], [])
    const saved = await saveChanges(run, [await momentOf()], [changeOf(uid, 'e')])
    assert.deepEqual(saved.written, new Set([uid]))
  })

  it('do not fence before the change is about to commit: until then writes go on under the catalogue as it was', async () => {
    const uid = await makeCustomer()
    const moment = await momentOf()
    const changer = await open()
    await changer.query('begin')
    await changer.query(raise, ['test'])
    assert.deepEqual((await saveChanges(run, [moment], [changeOf(uid, 'e')])).written, new Set([uid]))
    await changer.query('rollback')
  })

  it('fence only their own environment', async () => {
    const live = await makeCustomer('live')
    const moment = await momentOf('live')
    const changer = await open()
    await changer.query('begin')
    await changer.query('select await_writes($1)', ['test'])
    assert.deepEqual((await saveChanges(run, [moment], [changeOf(live, 'e')])).written, new Set([live]))
    await changer.query('rollback')
  })

  it('go past one another as writes do: two in flight never wait', async () => {
    const [one, other] = [await open(), await open()]
    const moment = await momentOf()
    for (const client of [one, other]) {
      await client.query('begin')
      assert.equal(await confirmMoment(client, moment), true)
    }
    for (const client of [one, other]) await client.query('commit')
  })
})
