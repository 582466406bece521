// Connections are never all taken by those who wait for one thing: a locked customer, or the catalogue.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { holdCustomer, waitForWaiters } from './held-lock.ts'
import { openRaces, type Races } from './races-fixture.ts'

let races: Races
before(async () => {
  races = await openRaces({ instances: 2 })
})
after(() => races.close())

describe('a locked customer that 20 callers change', () => {
  it('keeps nobody else from being changed, written to or given a bonus', async () => {
    const [locked, free] = [await races.makeCustomer(), await races.makeCustomer()]
    const lock = await holdCustomer(races.service, locked)
    const changes = Array.from({ length: 20 }, (_, n) =>
      races.request('PUT', `/v1/customers/${locked}`, { usageStartedAt: 1_700_000_000_000 + n }),
    )
    try {
      await waitForWaiters(races.service, 1)
      const startedAt = performance.now()
      const statuses = await Promise.all([
        races.request('PUT', `/v1/customers/${free}`, { usageStartedAt: 1_700_000_000_000 }),
        races.request('POST', '/v1/bonuses', { customerId: free, featureKey: 'calls', amount: 1 }),
        races.record(free, 'e'),
        races.limitTo(await races.makePlan(1), 2),
      ])
      assert.deepEqual(
        statuses.map(({ status }) => status),
        [200, 201, 200, 200],
      )
      assert.ok(performance.now() - startedAt < 2_000, `${performance.now() - startedAt} ms`)
    } finally {
      await lock.release()
    }
    const answers = await Promise.all(changes)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  })

  it('keeps no other holder of its product waiting for a migration', async () => {
    const plan = await races.makePlan(10)
    const holders: string[] = []
    for (let n = 0; n < 8; n++) holders.push(await races.makeCustomer(plan))
    await races.make('POST', `/v1/products/${plan}/versions`)
    const [locked, ...others] = holders as [string, ...string[]]
    const lock = await holdCustomer(races.service, locked)
    const migrating = races.request('POST', `/v1/products/${plan}/migrate`, {})
    const slowestMs: number[] = []
    const deadlineAt = performance.now() + 1_500
    for (let n = 0; performance.now() < deadlineAt; n++) {
      const startedAt = performance.now()
      const answers = await Promise.all(others.map((customerId) => races.record(customerId, `m-${n}`)))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      slowestMs.push(performance.now() - startedAt)
    }
    await lock.release()
    assert.ok(Math.max(...slowestMs) < 1_000, `${Math.max(...slowestMs)} ms`)
    assert.deepEqual([(await migrating).status, (await migrating).body.migrated], [200, 8])
  })
})

describe('a catalogue that 20 callers change over two instances', () => {
  it('refuses nobody: neither them, nor who changes customers or events meanwhile', async () => {
    const plans = await Promise.all(Array.from({ length: 4 }, () => races.makePlan(5)))
    const customerId = await races.makeCustomer(plans[0])
    const event = (await races.record(customerId, 'amended')).body.eventId
    const statuses = new Map<number, number>()
    const count = ({ status }: { status: number }) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const until = performance.now() + 3_000
    const loop = async (ask: (n: number) => Promise<{ status: number }>) => {
      for (let n = 0; performance.now() < until; n++) count(await ask(n))
    }
    await Promise.all([
      ...Array.from({ length: 20 }, (_, caller) =>
        loop((n) => races.limitTo(plans[caller % 4] as string, n, { instance: caller % 2 })),
      ),
      ...[0, 1].map((instance) =>
        loop((n) => races.request('PUT', `/v1/usage/${event}`, { amount: n % 5 }, { instance })),
      ),
      ...[0, 1].map((instance) =>
        loop((n) =>
          races.request('PUT', `/v1/customers/${customerId}`, { metadata: { n: String(n) } }, { instance }),
        ),
      ),
    ])
    assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]))
    assert.deepEqual(await races.audit(customerId), [])
  })
})
