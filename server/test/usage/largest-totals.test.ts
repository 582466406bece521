// Sums at 10^12: limits add up to it at most, bonuses beyond it are refused, and a check says what the write would meet.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dayMs, noon, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

const most = 1e12
let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture()
  const grant = (more: object) => [{ featureKey: 'calls', hasAccess: true, ...more }]
  await fixture.makeProduct('huge', grant({ limit: most }))
  await fixture.makeProduct('huge-too', grant({ limit: most - 1 }))
  await fixture.makeProduct('endless', grant({ isUnlimited: true }))
})
after(async () => {
  const differences = await fixture.audit()
  await fixture.close()
  assert.deepEqual(differences, [])
})

const check = (customerId: string, amount: number) =>
  fixture.request('GET', `/v1/check?customerId=${customerId}&featureKey=calls&amount=${amount}`)

let count = 0
/** Status, code and outcome of a check and of the enforced write after it, which must be the same. */
async function meet(customerId: string, amount: number): Promise<unknown[]> {
  const checked = await check(customerId, amount)
  const written = await fixture.record(customerId, `enforced-${++count}`, { amount, enforceLimit: true })
  const toMet = ({ status, headers, body }: typeof checked, isApplied: unknown) =>
    status === 200 ? [status, isApplied, body.reason] : [status, headers['x-error-code'], body.error]
  const met = toMet(written, written.body.applied)
  assert.deepEqual(toMet(checked, checked.body.allowed), met)
  return met.slice(0, 2)
}

describe('limits that add up to more than 10^12', () => {
  it('are 10^12 together, for a check and for an enforced write', async () => {
    const acme = await fixture.makeCustomer({ customProductKeys: ['huge', 'huge-too'] })
    const { limit, usage } = await fixture.entry(acme)
    assert.deepEqual([limit, usage.remaining], [most, most])
    await fixture.record(acme, 'a', { amount: most - 1 })
    assert.deepEqual(await meet(acme, 2), [200, false])
    assert.deepEqual(await meet(acme, 1), [200, true])
    assert.deepEqual(await meet(acme, 1), [200, false])
    assert.equal((await fixture.usage(acme)).hasReachedLimit, true)
  })
})

describe('a total that would pass 10^12', () => {
  it('400: the check as the write, while unlimited', async () => {
    const acme = await fixture.makeCustomer({ customProductKeys: ['endless'] })
    assert.deepEqual(await meet(acme, most), [200, true])
    assert.deepEqual(await meet(acme, 0), [200, true])
    assert.deepEqual(await meet(acme, 1), [400, 'total_out_of_range'])
  })

  it('400: the check as the write, where a bonus has something left beyond it', async () => {
    const acme = await fixture.makeCustomer({ customProductKeys: ['huge'] })
    await fixture.give(acme, 5)
    assert.deepEqual(await meet(acme, most), [200, true])
    assert.deepEqual(await meet(acme, 1), [400, 'total_out_of_range'])
    assert.deepEqual(await meet(acme, 6), [200, false])
  })
})

describe('bonuses of a feature that would have more than 10^12 together', () => {
  const codeOf = ({ status, headers, body }: Awaited<ReturnType<typeof check>>) => [
    status,
    headers['x-error-code'],
    body.error,
  ]
  const refused = [400, 'total_out_of_range', 'amount would take the sum of the bonuses beyond 10^12.']
  const update = (bonusId: string, body: object) => fixture.request('PUT', `/v1/bonuses/${bonusId}`, { body })

  it('400: one more, or more of one, and nothing is changed', async () => {
    const acme = await fixture.makeCustomer()
    assert.equal((await fixture.give(acme, most - 5)).status, 201)
    const { body: small } = await fixture.give(acme, 5)
    assert.deepEqual(codeOf(await fixture.give(acme, 0.000001)), refused)
    assert.deepEqual(codeOf(await update(small.bonus.bonusId, { amount: 6 })), refused)
    assert.equal((await fixture.usage(acme)).bonusRemaining, most)
    assert.equal((await update(small.bonus.bonusId, { amount: 4 })).status, 200)
    assert.equal((await fixture.give(acme, 1)).status, 201)
  })

  it('400: beside what this period drew, which may be returned', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, most - 10)
    await fixture.record(acme, 'a', { amount: most })
    const { bonusUsed, bonusRemaining } = await fixture.usage(acme)
    assert.deepEqual([bonusUsed, bonusRemaining], [most - 10, 0])
    assert.deepEqual(codeOf(await fixture.give(acme, 11)), refused)
    assert.equal((await fixture.give(acme, 10)).status, 201)
    await fixture.record(acme, 'b', { amount: -most })
    assert.equal((await fixture.usage(acme)).bonusRemaining, most)
  })

  it('400: an expired one that would be revived', async () => {
    const acme = await fixture.makeCustomer()
    const { body: short } = await fixture.give(acme, 5, { expiresAt: noon + 1 })
    await fixture.setClock(noon + dayMs)
    assert.equal((await fixture.give(acme, most)).status, 201)
    assert.deepEqual(codeOf(await update(short.bonus.bonusId, { expiresAt: null })), refused)
    await fixture.setClock(noon)
  })
})
