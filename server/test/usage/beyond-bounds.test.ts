// A total that re-sorting has taken beyond 10^12: whatever lowers it is allowed, whatever raises it is not.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { hourMs, noon, openRaces, type Races } from '../races/races-fixture.ts'

const most = 1e12
let races: Races
before(async () => {
  races = await openRaces()
})
after(() => races.close())

let features = 0
/** Two hours with all that an hour may have become one period with twice as much. */
async function makeOverfull() {
  const featureKey = `calls-${++features}`
  await races.make('POST', '/v1/features', {
    featureKey,
    name: featureKey,
    type: 'limit',
    usageResetInterval: 'hour',
  })
  const customerId = await races.makeCustomer()
  const record = (eventKey: string, more: object) =>
    races.record(customerId, eventKey, { featureKey, ...more })
  const early = await record('early', { amount: most, occurredAt: noon - hourMs })
  assert.equal(early.status, 200, early.text)
  assert.equal((await record('late', { amount: most })).status, 200)
  await races.make('PUT', `/v1/features/${featureKey}`, { usageResetInterval: 'never' })
  const used = async () => (await races.entry(customerId, 0, featureKey)).usage.used
  assert.equal(await used(), 2 * most)
  return { featureKey, customerId, record, used, earlyPath: `/v1/usage/${early.body.eventId}` }
}

describe('a total beyond 10^12 after re-sorting', () => {
  it('is lowered by a negative amount, also to what is still beyond', async () => {
    const { record, used, customerId } = await makeOverfull()
    const { status, body, text } = await record('back', { amount: -1 })
    assert.equal(status, 200, text)
    assert.deepEqual([body.applied, body.used, await used()], [true, 2 * most - 1, 2 * most - 1])
    assert.deepEqual(await races.audit(customerId), [])
  })

  it('is lowered by an event amended to less', async () => {
    const { earlyPath, used } = await makeOverfull()
    const { status, text } = await races.request('PUT', earlyPath, { amount: most - 5 })
    assert.equal(status, 200, text)
    assert.equal(await used(), 2 * most - 5)
  })

  it('is lowered by an event deleted', async () => {
    const { earlyPath, used } = await makeOverfull()
    const { status, text } = await races.request('DELETE', earlyPath)
    assert.equal(status, 200, text)
    assert.equal(await used(), most)
  })

  it('is lowered by usage set to less, by as much as an amount may be', async () => {
    const { customerId, featureKey, used } = await makeOverfull()
    const body = { customerId, featureKey, eventKey: 'set', used: most }
    const { status, text } = await races.request('POST', '/v1/usage/set', body)
    assert.equal(status, 200, text)
    assert.equal(await used(), most)
  })

  it('takes what changes nothing: a zero, and other metadata of an event', async () => {
    const { record, earlyPath, used } = await makeOverfull()
    const { status, text } = await record('zero', { amount: 0 })
    assert.equal(status, 200, text)
    assert.equal((await races.request('PUT', earlyPath, { metadata: { a: 'b' } })).status, 200)
    assert.equal(await used(), 2 * most)
  })

  it('is not raised further', async () => {
    const { record, used } = await makeOverfull()
    const { status, headers } = await record('more', { amount: 1 })
    assert.deepEqual([status, headers['x-error-code']], [400, 'total_out_of_range'])
    assert.equal(await used(), 2 * most)
  })
})
