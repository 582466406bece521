// POST /v1/usage/batch: up to 100 independent events.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { noon, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

type Failure = { error: string; code: string }

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture()
})
after(() => fixture.close())

const send = (events: unknown, more: object = {}) =>
  fixture.request('POST', '/v1/usage/batch', { body: { events, ...more } })
const event = (customerId: string, eventKey: string, more: object = {}) => ({
  customerId,
  featureKey: 'calls',
  eventKey,
  ...more,
})

describe('200', () => {
  it('answers in the order of the events, with running totals', async () => {
    const [acme, other] = [await fixture.makeCustomer(), await fixture.makeCustomer()]
    const keys = Array.from({ length: 100 }, (_, index) => `k${index}`)
    const { status, body } = await send(keys.map((key, index) => event(index % 2 ? acme : other, key)))
    assert.equal(status, 200)
    assert.equal(body.hasErrors, false)
    const totals = body.results.map((each: { result: { used: number } }) => each.result.used)
    assert.deepEqual(
      totals,
      keys.map((_key, index) => Math.floor(index / 2) + 1),
    )
  })

  it('fails one item and leaves the rest alone', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'taken', { amount: 2 })
    const { status, body } = await send([
      event(acme, 'a'),
      event('nobody', 'b'),
      event(acme, 'taken', { amount: 3 }),
      event(acme, 'c', { amount: 'many' }),
      event(acme, 'd', { colour: 'red' }),
      'nonsense',
      event(acme, 'e'),
    ])
    assert.equal(status, 200)
    assert.equal(body.hasErrors, true)
    const outcomes = body.results.map((each: { success: boolean }) => each.success)
    assert.deepEqual(outcomes, [true, false, false, false, false, false, true])
    const failures = body.results.slice(1, 6).map(({ error, code }: Failure) => [code, error])
    const wanted: [string, RegExp][] = [
      ['customer_not_found', /^events\[1\]\.customerId: There is no customer "nobody"\.$/],
      ['event_key_reused', /^events\[2\]\.eventKey "taken" was used/],
      ['invalid_request', /^events\[3\]\.amount must be a number, but "many" came\.$/],
      ['unknown_field', /^"colour" is not a known field in events\[4\]\.$/],
      ['invalid_request', /^events\[5\] must be an object, but "nonsense" came\.$/],
    ]
    for (const [index, [code, sentence]] of wanted.entries()) {
      assert.equal(failures[index][0], code)
      assert.match(failures[index][1], sentence)
    }
    assert.equal(body.results[6].result.used, 4)
  })

  it('names the place of what only the ledger refuses', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.makeFeature('untracked', { tracksUsage: false })
    const { body } = await send([
      event(acme, 'a', { occurredAt: noon + 301_000 }),
      event(acme, 'b', { featureKey: 'nothing' }),
      event(acme, 'c', { featureKey: 'untracked' }),
      event(acme, 'd', { occurredAt: noon / 1000 }),
      { customerId: acme, featureKey: 'calls' },
    ])
    const sentences = [
      /^events\[0\]\.occurredAt must not lie more than 5 minutes ahead/,
      /^events\[1\]\.featureKey: There is no feature "nothing"/,
      /^events\[2\]\.featureKey: the feature "untracked" does not track usage/,
      /^events\[3\]\.occurredAt must be Unix milliseconds .*looks like seconds/,
      /^events\[4\]\.eventKey is required\.$/,
    ]
    for (const [index, sentence] of sentences.entries()) assert.match(body.results[index].error, sentence)
    assert.equal(body.results[2].code, 'feature_not_tracked')
  })

  it('applies one of two items with the same key', async () => {
    const acme = await fixture.makeCustomer()
    const { body } = await send([event(acme, 'a'), event(acme, 'a'), event(acme, 'a', { amount: 2 })])
    const [first, second, third] = body.results
    assert.equal(first.result.applied, true)
    assert.deepEqual(second.result, { ...first.result, applied: false, reason: 'duplicate_event' })
    assert.equal(third.success, false)
    assert.equal((await fixture.usage(acme)).used, 1)
  })

  it('counts a refusal as a success of the item', async () => {
    const acme = await fixture.makeCustomer()
    const enforceLimit = true
    const { body } = await send([
      event(acme, 'a', { amount: 10, enforceLimit }),
      event(acme, 'b', { enforceLimit }),
    ])
    assert.equal(body.hasErrors, false)
    assert.deepEqual(body.results[1], {
      success: true,
      result: { applied: false, used: 10, reason: 'limit_reached' },
    })
  })

  it('lets an item see what the items before it did', async () => {
    const acme = await fixture.makeCustomer()
    const { body } = await send([
      event(acme, 'a', { amount: 10 }),
      event(acme, 'b', { amount: -10 }),
      event(acme, 'c', { amount: -1 }),
    ])
    assert.deepEqual(
      body.results.map(
        (each: { result: { used: number; reason?: string } }) => each.result.reason ?? each.result.used,
      ),
      [10, 0, 'below_zero'],
    )
  })
})

describe('400', () => {
  it('for a bad envelope: no array, none, more than 100 events, an unknown field', async () => {
    const acme = await fixture.makeCustomer()
    const many = Array.from({ length: 101 }, (_, index) => event(acme, `k${index}`))
    for (const answer of [
      await send('x'),
      await send([]),
      await send(many),
      await send([event(acme, 'a')], { x: 1 }),
    ])
      assert.equal(answer.status, 400, answer.text)
    assert.equal((await fixture.usage(acme)).used, 0)
  })
})
