// Being due for statistics costs a customer's row nothing: whatever is recorded, its updates touch no index.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../billing/shop-fixture.ts'
import { noon, type StatisticsFixture, startStatisticsFixture } from './statistics-fixture.ts'

let fixture: StatisticsFixture
before(async () => {
  fixture = await startStatisticsFixture()
})
after(() => fixture?.close())

const updates = async () => {
  const [row] = await fixture.service.query(
    `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'customer'`,
  )
  return row as { all: number; hot: number }
}

describe('updates of customers', () => {
  it('stay HOT through writes that make them due, and through their statistics', async () => {
    await fixture.makeCustomer('acme')
    await fixture.service.query('vacuum customer')
    await fixture.refresh()
    const start = await eventually(updates, ({ all }) => assert.ok(all > 0))
    const writes = 60
    for (let count = 0; count < writes; count++) {
      await fixture.record('acme', `e${count}`, { occurredAt: noon - (writes - count) * 1000 })
      if (count % 10 === 9) await fixture.refresh()
    }
    // The database tells some time later.
    const end = await eventually(updates, ({ all }) => assert.ok(all - start.all >= writes + 6), 20_000)
    const [all, hot] = [end.all - start.all, end.hot - start.hot]
    assert.ok(all - hot <= all / 20, `${hot} of ${all} updates were HOT`)
  })
})
