// What callers do around a reset: usage on both sides of it, given back, moved over it and taken away, and bonuses that it
// drew from, all of one feature.
import type { Chance } from './chance.ts'
import { type Instant, type Step, trackedKeys } from './model-steps.ts'

const [featureKey] = trackedKeys
let count = 0

const pickNear = (chance: Chance): Instant =>
  chance.pick<Instant>([
    { from: 'lastReset', plus: 0 },
    { from: 'lastReset', plus: -1 },
    { from: 'now', plus: 0 },
    { from: 'now', plus: -1 },
    { from: 'nextReset', plus: -1 },
  ])

export function pickResetStep(chance: Chance, customerId: string): Step {
  const subject = { customerId, featureKey }
  const event = chance.upTo(8)
  const bonus = chance.upTo(3)
  const amount = chance.pick([1, 2, 3, 5, 8, -1, -2])
  const eventKey = `reset-${++count}`
  const at = chance.is(0.3) ? { at: pickNear(chance) } : {}
  return chance.weigh<() => Step>([
    [8, () => ({ do: 'record', ...subject, eventKey, amount, ...at, enforceLimit: chance.is(0.2) })],
    [1, () => ({ do: 'set', ...subject, eventKey, used: chance.upTo(15) })],
    [4, () => ({ do: 'amend', event, amount: chance.pick([1, 4, 9]) })],
    [3, () => ({ do: 'amend', event, at: pickNear(chance) })],
    [3, () => ({ do: 'delete event', event })],
    [4, () => ({ do: 'give', ...subject, amount: chance.pick([2, 3, 5]) })],
    [2, () => ({ do: 'change bonus', bonus, amount: chance.pick([3, 6, 10]) })],
    [1, () => ({ do: 'delete bonus', bonus })],
    [6, () => ({ do: 'read access', customerId })],
    [1, () => ({ do: 'read customer', customerId })],
    [1, () => ({ do: 'list bonuses', customerId })],
    [1, () => ({ do: 'check', ...subject, amount: 1 })],
  ])()
}
