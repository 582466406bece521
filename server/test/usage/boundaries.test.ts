// Right to the millisecond: where periods begin and end, where bonuses expire, and what a stepping clock shows.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { amountFromNumber, amountToNumber } from '../../src/domain/amount.ts'
import { recordTask } from '../../src/domain/ledger/record.ts'
import { servicePrincipal } from '../../src/domain/principal.ts'
import { customerHash, hashToUuid } from '../../src/storage/customers/customer-uid.ts'
import { dayMs, noon, startedAt, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture()
})
after(async () => {
  const differences = await fixture.audit()
  await fixture.close()
  assert.deepEqual(differences, [])
})

const endsAt = Date.UTC(2026, 1, 10)

describe('a period', () => {
  it('begins with its first millisecond and ends before its last', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.setClock(endsAt + dayMs)
    const totals: [number, number][] = [
      [startedAt - 1, 1],
      [startedAt, 1],
      [endsAt - 1, 2],
      [endsAt, 1],
      [endsAt + 1, 2],
    ]
    for (const [occurredAt, used] of totals)
      assert.equal((await fixture.record(acme, `at ${occurredAt}`, { occurredAt })).body.used, used)
    for (const [now, used] of [
      [startedAt - 1, 1],
      [startedAt, 2],
      [endsAt - 1, 2],
      [endsAt, 2],
    ] as const) {
      await fixture.setClock(now)
      const usage = await fixture.usage(acme)
      assert.equal(usage.used, used, `at ${now}`)
      assert.ok(usage.lastReset <= now && now < usage.nextReset)
    }
    await fixture.setClock(noon)
  })

  it('is clamped to the end of short months and counted from its anchor', async () => {
    const acme = await fixture.makeCustomer({ usageStartedAt: Date.UTC(2026, 0, 31, 8) })
    const resets = [
      [2026, 0, 31],
      [2026, 1, 28],
      [2026, 2, 31],
      [2026, 3, 30],
      [2026, 4, 31],
    ].map(([year, month, day]) => Date.UTC(year as number, month as number, day, 8))
    for (const [index, nextReset] of resets.entries()) {
      if (index === 0) continue
      await fixture.setClock(nextReset - 1)
      const usage = await fixture.usage(acme)
      assert.deepEqual([usage.lastReset, usage.nextReset], [resets[index - 1], nextReset])
    }
    await fixture.setClock(noon)
  })

  it('of an anchor ahead runs up to it', async () => {
    const acme = await fixture.makeCustomer({ usageStartedAt: noon + dayMs })
    const { lastReset, nextReset } = await fixture.usage(acme)
    assert.deepEqual([lastReset, nextReset], [Date.UTC(2025, 11, 18, 12), noon + dayMs])
  })
})

describe('a bonus', () => {
  it('can be drawn on until the millisecond before it expires', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 5, { expiresAt: noon + 1_000 })
    await fixture.record(acme, 'a', { amount: 10 })
    await fixture.setClock(noon + 999)
    assert.deepEqual((await fixture.usage(acme)).remaining, 5)
    assert.equal((await fixture.record(acme, 'b', { amount: 2, enforceLimit: true })).body.applied, true)
    await fixture.setClock(noon + 1_000)
    const { remaining, bonusUsed, bonusRemaining } = await fixture.usage(acme)
    assert.deepEqual([remaining, bonusUsed, bonusRemaining], [0, 2, 0])
    assert.equal((await fixture.record(acme, 'c', { enforceLimit: true })).body.reason, 'limit_reached')
    await fixture.setClock(noon)
    assert.equal((await fixture.usage(acme)).remaining, 3)
  })

  it('that has expired gets back what was drawn from it, and loses it', async () => {
    const acme = await fixture.makeCustomer()
    const { bonusId } = (await fixture.give(acme, 5, { expiresAt: noon + 1_000 })).body.bonus
    await fixture.record(acme, 'a', { amount: 13 })
    await fixture.setClock(noon + 1_000)
    await fixture.record(acme, 'b', { amount: -2 })
    const { used, bonusUsed, remaining } = await fixture.usage(acme)
    assert.deepEqual([used, bonusUsed, remaining], [11, 1, 0])
    const { body } = await fixture.request('GET', `/v1/bonuses/${bonusId}`)
    assert.equal(body.bonus.remainingAmount, 4)
    assert.equal((await fixture.record(acme, 'c', { enforceLimit: true })).body.reason, 'limit_reached')
    await fixture.setClock(noon)
  })
})

describe('a clock that steps back', () => {
  it('shows what was then, with what has been recorded ahead of it in the same period', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'a', { amount: 1 })
    await fixture.setClock(noon + 2 * dayMs)
    await fixture.record(acme, 'b', { amount: 2 })
    await fixture.setClock(endsAt)
    await fixture.record(acme, 'c', { amount: 4 })
    await fixture.setClock(noon)
    assert.equal((await fixture.usage(acme)).used, 3)
    assert.equal((await fixture.record(acme, 'd', { amount: 8 })).body.used, 11)
    await fixture.setClock(endsAt)
    assert.equal((await fixture.usage(acme)).used, 4)
    await fixture.setClock(noon)
  })

  it('opens a closed period again, bonuses and all', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 5)
    await fixture.record(acme, 'a', { amount: 12 })
    await fixture.setClock(endsAt)
    await fixture.record(acme, 'b', { amount: 11 })
    await fixture.setClock(noon)
    await fixture.record(acme, 'c', { amount: -1 })
    const { used, bonusUsed, bonusRemaining } = await fixture.usage(acme)
    assert.deepEqual([used, bonusUsed, bonusRemaining], [11, 1, 3])
  })
})

describe('requests that were admitted on both sides of a reset', () => {
  /** Writes past the door, each admitted at a time of its own, all in one turn. */
  async function writeAtOnce(customerId: string, writes: [now: number, eventKey: string, amount: number][]) {
    const { services } = fixture.service.instances[0] as (typeof fixture.service.instances)[0]
    const principal = servicePrincipal('test', 'test')
    const hash = customerHash('test', customerId)
    const outcomes = await Promise.all(
      writes.map(([now, eventKey, amount]) =>
        services.writeLedger(
          recordTask(
            { principal, customerHash: hash, customerId, now },
            {
              featureKey: 'calls',
              keyHash: hashToUuid(eventKey),
              eventKey,
              metadata: {},
              amount: amountFromNumber(amount),
              sentOccurredAt: undefined,
              enforceLimit: false,
            },
          ),
        ),
      ),
    )
    return outcomes.map(({ event, used }) => ({ at: event?.occurredAt ?? 0, used: amountToNumber(used) }))
  }

  it('are decided at one time, the latest of theirs', async () => {
    // The clock runs here: both times have come, and the period began between them.
    await fixture.setClock(null)
    const resetAt = Date.now() - 60_000
    const acme = await fixture.makeCustomer({ usageStartedAt: resetAt })
    await fixture.give(acme, 20)
    const outcomes = await writeAtOnce(acme, [
      [resetAt - 1, 'a', 15],
      [resetAt + 1, 'b', -3],
      [resetAt - 1, 'c', 0],
      [resetAt, 'd', 1],
    ])
    assert.equal(new Set(outcomes.map(({ at }) => at)).size, 1)
    assert.ok(outcomes.every(({ at }) => at > resetAt))
    assert.deepEqual(
      outcomes.map(({ used }) => used),
      [15, 12, 12, 13],
    )
    const { used, bonusUsed, bonusRemaining } = await fixture.usage(acme)
    assert.deepEqual([used, bonusUsed, bonusRemaining], [13, 3, 17])
    assert.deepEqual(await fixture.audit(), [])
    await fixture.setClock(noon)
  })

  it('are decided at the time of a frozen clock, whatever theirs were', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 20)
    await fixture.setClock(endsAt)
    await fixture.record(acme, 'ahead', { amount: 15 })
    await fixture.setClock(noon)
    const outcomes = await writeAtOnce(acme, [
      [noon, 'a', 12],
      [endsAt, 'b', -3],
      [noon, 'c', 0],
      [endsAt, 'd', 2],
    ])
    assert.deepEqual(outcomes, [
      { at: noon, used: 12 },
      { at: noon, used: 9 },
      { at: noon, used: 9 },
      { at: noon, used: 11 },
    ])
    const { bonusUsed, bonusRemaining } = await fixture.usage(acme)
    // Five are drawn in the period ahead.
    assert.deepEqual([bonusUsed, bonusRemaining], [1, 14])
    assert.deepEqual(await fixture.audit(), [])
  })
})

describe('a changed anchor or interval', () => {
  it('re-sorts events and draws at once, and back again', async () => {
    await fixture.makeFeature('tokens', { usageResetInterval: 'month' })
    const entry = { featureKey: 'tokens', hasAccess: true, limit: 2 }
    await fixture.makeProduct('tokens', [entry])
    const acme = await fixture.makeCustomer({ customProductKeys: ['tokens'] })
    const featureKey = 'tokens'
    await fixture.give(acme, 9, { featureKey })
    await fixture.record(acme, 'a', { featureKey, amount: 3 })
    await fixture.setClock(noon + dayMs)
    await fixture.record(acme, 'b', { featureKey, amount: 2 })
    const standing = async () => {
      const { used, bonusUsed, bonusRemaining, lastReset } = await fixture.usage(acme, featureKey)
      return [used, bonusUsed, bonusRemaining, lastReset]
    }
    const change = (body: object) => fixture.make('PUT', '/v1/features/tokens', body)
    assert.deepEqual(await standing(), [5, 3, 6, startedAt])
    // Of the second day: 2 used and a limit of 2, so the 2 drawn that day are given back.
    await change({ usageResetInterval: 'day' })
    assert.deepEqual(await standing(), [2, 0, 8, Date.UTC(2026, 0, 18)])
    await fixture.record(acme, 'c', { featureKey, amount: 4 })
    assert.deepEqual(await standing(), [6, 4, 4, Date.UTC(2026, 0, 18)])
    await change({ usageResetInterval: 'month' })
    assert.deepEqual(await standing(), [9, 7, 2, startedAt])
    await fixture.make('PUT', `/v1/customers/${acme}`, { usageStartedAt: noon + 1 })
    assert.deepEqual(await standing(), [6, 4, 4, noon + 1])
    await change({ usageResetAnchor: 'calendar' })
    assert.deepEqual(await standing(), [9, 7, 2, Date.UTC(2026, 0, 1)])
    await change({ usageResetInterval: 'never' })
    assert.equal((await standing())[0], 9)
    await fixture.setClock(noon)
  })

  it('keeps counters of the spans before true, also when draws move meanwhile', async () => {
    await fixture.makeFeature('jobs', { usageResetInterval: 'month' })
    await fixture.makeProduct('jobs', [{ featureKey: 'jobs', hasAccess: true, limit: 1 }])
    const acme = await fixture.makeCustomer({ customProductKeys: ['jobs'] })
    const featureKey = 'jobs'
    const change = (usageResetInterval: string) =>
      fixture.make('PUT', '/v1/features/jobs', { usageResetInterval })
    await fixture.give(acme, 9, { featureKey })
    await fixture.record(acme, 'a', { featureKey, amount: 4 })
    await change('day')
    await fixture.record(acme, 'b', { featureKey, amount: -2 })
    await change('month')
    const { used, bonusUsed, bonusRemaining } = await fixture.usage(acme, featureKey)
    assert.deepEqual([used, bonusUsed, bonusRemaining], [2, 1, 8])
  })
})

describe('a customer with many events', () => {
  it('is counted to the last of 10,000, and its period can be computed anew', async () => {
    const acme = await fixture.makeCustomer()
    for (let start = 0; start < 10_000; start += 1_000) {
      await Promise.all(
        Array.from({ length: 10 }, (_, part) => {
          const events = Array.from({ length: 100 }, (_, index) => ({
            customerId: acme,
            featureKey: 'calls',
            eventKey: `e${start + part * 100 + index}`,
            amount: 0.000001,
            occurredAt: startedAt + start + part * 100 + index,
          }))
          return fixture.make('POST', '/v1/usage/batch', { events })
        }),
      )
    }
    assert.equal((await fixture.usage(acme)).used, 0.01)
    await fixture.make('PUT', `/v1/customers/${acme}`, { usageStartedAt: startedAt + 2_500 })
    assert.equal((await fixture.usage(acme)).used, 0.0075)
  })
})
