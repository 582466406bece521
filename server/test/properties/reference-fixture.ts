// The small fixture in which the reference model's worked examples play: acme holds plan, which gives 10 calls a
// month from 10 January 2026; it is noon of the 17th.
import assert from 'node:assert/strict'
import { createReferenceModel } from './reference-model.ts'

export const ms = (date: string): number => Date.parse(`${date}T00:00:00Z`)

type Outcome = { applied: boolean; used: number; eventId: number; reason?: string; adjustment?: number }
type UsageShown = {
  used: number
  remaining: number
  bonusUsed: number
  bonusRemaining: number
  hasReachedLimit: boolean
  lastReset: number
  nextReset: number
}
type EntryShown = { hasAccess: boolean; type: string; limit: number; isUnlimited: boolean; usage: UsageShown }
type BonusAnswer = { bonus: { bonusId: number; remainingAmount: number }; counterRemaining: number }

export function startModel({ usageStartedAt = ms('2026-01-10'), limit = 10 } = {}) {
  const now = ms('2026-01-17') + 12 * 3_600_000
  const model = createReferenceModel()
  model.setClock({ now })
  model.createFeature({ featureKey: 'calls', name: 'Calls', type: 'limit' })
  const setLimit = (calls: number) =>
    model.setFeatureAccess('plan', {
      featureAccess: [{ featureKey: 'calls', hasAccess: true, limit: calls }],
    })
  model.createCustomProduct({ name: 'Plan', productKey: 'plan' })
  setLimit(limit)
  model.createCustomer({ customerId: 'acme', usageStartedAt, customProductKeys: ['plan'] })

  const usage = (eventKey: string) => ({ customerId: 'acme', featureKey: 'calls', eventKey })
  const record = (
    eventKey: string,
    more: { amount?: number; occurredAt?: number; enforceLimit?: boolean } = {},
  ) => {
    const { status, body } = model.recordUsage({ ...usage(eventKey), ...more })
    assert.equal(status, 200)
    return body as Outcome
  }
  const entry = () => (model.featureAccess('acme').body as { calls: EntryShown }).calls
  const give = (amount: number, expiresAt?: number) => {
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    const { status, body } = model.createBonus({ customerId: 'acme', featureKey: 'calls', amount, ...expiry })
    assert.equal(status, 201)
    return (body as BonusAnswer).bonus.bonusId
  }
  const left = (bonusId: number) => (model.getBonus(bonusId).body as BonusAnswer).bonus.remainingAmount
  return { model, now, usage, record, entry, used: () => entry().usage.used, give, left, setLimit }
}
