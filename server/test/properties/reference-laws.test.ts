// The reference model under random histories: what it answers keeps the laws that the contract's numbers obey, so
// that a slip in the oracle shows before it is held against the service.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ms, startModel } from './reference-fixture.ts'

type Fixture = ReturnType<typeof startModel>
type Step = (fixture: Fixture) => { status: number; body?: unknown }

const amount = fc.integer({ min: -60, max: 120 }).map((tenths) => tenths / 10)
const days = fc.integer({ min: -40, max: 40 })
const start = ms('2026-01-17')
const on = (day: number) => start + day * 86_400_000
const id = fc.integer({ min: 1, max: 12 })
const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ key, amount, day: fc.option(days), enforceLimit: fc.boolean() }).map(
    ({ key, amount, day, enforceLimit }): Step =>
      ({ model, usage }) =>
        model.recordUsage({
          ...usage(key),
          amount,
          enforceLimit,
          ...(day === null ? {} : { occurredAt: on(day) }),
        }),
  ),
  fc.record({ key, used: fc.integer({ min: 0, max: 30 }) }).map(
    ({ key, used }): Step =>
      ({ model, usage }) =>
        model.setUsage({ ...usage(key), used }),
  ),
  fc.record({ id, amount, day: days }).map(
    ({ id, amount, day }): Step =>
      ({ model }) =>
        model.amendUsage(id, { amount, occurredAt: on(day) }),
  ),
  id.map(
    (id): Step =>
      ({ model }) =>
        model.deleteUsage(id),
  ),
  fc.record({ amount, day: fc.option(days) }).map(
    ({ amount, day }): Step =>
      ({ model }) =>
        model.createBonus({
          customerId: 'acme',
          featureKey: 'calls',
          amount,
          ...(day === null ? {} : { expiresAt: on(day) }),
        }),
  ),
  fc.record({ id, amount, day: fc.option(days) }).map(
    ({ id, amount, day }): Step =>
      ({ model }) =>
        model.updateBonus(id, { amount, expiresAt: day === null ? null : on(day) }),
  ),
  id.map(
    (id): Step =>
      ({ model }) =>
        model.deleteBonus(id),
  ),
  fc.integer({ min: 0, max: 15 }).map(
    (limit): Step =>
      ({ setLimit }) =>
        setLimit(limit),
  ),
  days.map(
    (day): Step =>
      ({ model }) =>
        model.setClock({ now: on(day) }),
  ),
  days.map(
    (day): Step =>
      ({ model }) =>
        model.updateCustomer('acme', { usageStartedAt: on(day) }),
  ),
  fc.constantFrom('never', 'day', 'week', 'month').map(
    (usageResetInterval): Step =>
      ({ model }) =>
        model.updateFeature('calls', { usageResetInterval }),
  ),
  fc.constantFrom('addCustomProductKeys', 'removeCustomProductKeys').map(
    (field): Step =>
      ({ model }) =>
        model.updateCustomer('acme', { [field]: ['plan'] }),
  ),
)

const lookAt = ({ model }: Fixture) => ({
  customer: model.getCustomer('acme').body,
  events: model.listUsage({ customerId: 'acme' }).body,
  bonuses: (model.listBonuses({ customerId: 'acme' }).body as { bonuses: BonusShown[] }).bonuses,
})
type BonusShown = { amount: number; remainingAmount: number; expiresAt?: number }

function assertLaws(fixture: Fixture): void {
  const { hasAccess, limit, usage } = fixture.entry()
  const { bonuses } = lookAt(fixture)
  for (const bonus of bonuses) assert.ok(0 <= bonus.remainingAmount && bonus.remainingAmount <= bonus.amount)
  if (!hasAccess) return
  const overage = Math.max(0, Math.round((usage.used - limit) * 10))
  const drawn = Math.round(usage.bonusUsed * 10)
  assert.ok(drawn <= overage, 'no more is drawn than needed')
  assert.ok(drawn === overage || usage.bonusRemaining === 0, 'overage only when no bonus is left')
  const planLeft = Math.max(0, Math.round((limit - (usage.used - usage.bonusUsed)) * 10))
  assert.equal(Math.round(usage.remaining * 10), planLeft + Math.round(usage.bonusRemaining * 10))
  assert.equal(usage.hasReachedLimit, usage.remaining === 0)
}

describe('after every step of a random history', () => {
  it('the laws hold, and a refused request changed nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const fixture = startModel()
        for (const take of steps) {
          const before = lookAt(fixture)
          const { status, body } = take(fixture)
          const isRefused = status >= 400 || (body as { applied?: boolean }).applied === false
          if (isRefused) assert.deepEqual(lookAt(fixture), before)
          assertLaws(fixture)
        }
      }),
      { numRuns: 200 },
    )
  })
})
