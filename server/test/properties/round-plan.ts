// Who does what in one round of a concurrent history: up to 24 callers, each with a few steps to take one after another.
import type { Chance } from './chance.ts'
import {
  type Cast,
  pickAccess,
  pickCatalogueStep,
  pickClockStep,
  pickCustomerStep,
  pickRecord,
} from './concurrent-steps.ts'
import { type Instant, type Step, trackedKeys } from './model-steps.ts'
import { pickResetStep } from './reset-steps.ts'

/** `customerId` is the one whose events and bonuses the steps name. */
export type Caller = { customerId: string; steps: Step[] }

export const callersAtOnce = 24

export function planRound(chance: Chance, cast: Cast, { mayMoveClock }: { mayMoveClock: boolean }): Caller[] {
  if (mayMoveClock && chance.is(0.25)) return planReset(chance, cast)
  if (chance.is(0.2)) return planLimits(chance, cast)
  // Where many write to one customer, their writes share batches; elsewhere orders are easier to tell apart.
  const hot = chance.is(0.4) ? chance.pick(cast.customerIds) : undefined
  const callers: Caller[] = []
  if (mayMoveClock && chance.is(0.7)) {
    const customerId = hot ?? chance.pick(cast.customerIds)
    callers.push({ customerId, steps: [pickClockStep(chance, cast), { do: 'read access', customerId }] })
  }
  for (let n = 1 + chance.upTo(2); n > 0; n--) {
    callers.push(planCatalogueCaller(chance, cast, hot ?? chance.pick(cast.customerIds)))
  }
  const records: Step[] = []
  while (callers.length < callersAtOnce) {
    const isHot = hot !== undefined && chance.is(0.45)
    const customerId = isHot ? hot : (cast.customerIds[callers.length % cast.customerIds.length] as string)
    const steps = Array.from({ length: isHot ? 1 : 2 }, () =>
      planStep(chance, cast, customerId, isHot, records),
    )
    callers.push({ customerId, steps: steps.flatMap((step) => withReturn(chance, cast, step)) })
  }
  return callers
}

/** The clock goes over a reset and back while everything is done that such a moment could spoil. */
function planReset(chance: Chance, cast: Cast): Caller[] {
  const hot = chance.pick(cast.customerIds)
  const toReset: Instant = { from: 'nextReset', plus: 0 }
  const moves: Instant[] = [toReset, { from: 'now', plus: chance.pick([-1, 1]) }]
  const clock = { do: 'clock', customerId: hot, featureKey: trackedKeys[0] } as const
  const callers: Caller[] = [{ customerId: hot, steps: moves.map((to) => ({ ...clock, to })) }]
  while (callers.length < callersAtOnce) {
    const isHot = callers.length % 2 === 0
    const customerId = isHot ? hot : chance.pick(cast.customerIds)
    const steps = Array.from({ length: isHot ? 1 + chance.upTo(2) : 2 }, () =>
      pickResetStep(chance, customerId),
    )
    callers.push({ customerId, steps })
  }
  return callers
}

/** Limits go down and up while everybody asks for what is left; what is sent after a change was answered obeys it. */
function planLimits(chance: Chance, cast: Cast): Caller[] {
  const [featureKey] = trackedKeys
  const customerId = chance.pick(cast.customerIds)
  let count = 0
  const take = (amount: number): Step => {
    const eventKey = `limit-${customerId}-${chance.next()}-${++count}`
    return { do: 'record', customerId, featureKey, eventKey, amount, enforceLimit: true }
  }
  const changes = cast.productKeys.flatMap((productKey): Step[] => [
    { do: 'set access', productKey, access: { ...pickAccess(chance), calls: chance.upTo(30) } },
    take(1),
  ])
  const callers: Caller[] = [{ customerId, steps: changes.slice(0, 6) }]
  while (callers.length < callersAtOnce) {
    const isOther = callers.length % 3 === 0
    const other = chance.pick(cast.customerIds)
    const pickStep = () =>
      chance.weigh<() => Step>([
        [6, () => take(chance.pick([1, 1, 2]))],
        [2, () => ({ do: 'check', customerId, featureKey, amount: 1 })],
        [1, () => ({ do: 'read access', customerId })],
      ])()
    // Totals that only grow tell their order, so that many more can be put in one.
    const steps = isOther ? [pickCustomerStep(chance, cast, other)] : Array.from({ length: 4 }, pickStep)
    callers.push({ customerId: isOther ? other : customerId, steps })
  }
  return callers
}

/** Some record what others record, too: under the same key, at the same time. */
function planStep(chance: Chance, cast: Cast, customerId: string, isHot: boolean, records: Step[]): Step {
  const same = records.filter((step) => 'customerId' in step && step.customerId === customerId)
  if (same.length > 0 && chance.is(0.08)) return chance.pick(same)
  const step: Step =
    isHot && chance.is(0.6)
      ? { do: 'record', ...pickRecord(chance, customerId) }
      : pickCustomerStep(chance, cast, customerId)
  if (step.do === 'record') records.push(step)
  return step
}

/** Who goes mostly comes back at once, as somebody new under the old name. */
function withReturn(chance: Chance, { customProductKeys }: Cast, step: Step): Step[] {
  if (step.do !== 'delete customer' || chance.is(0.2)) return [step]
  const { customerId } = step
  const key = chance.pick(customProductKeys)
  return [step, { do: 'create customer', customerId, customProductKeys: chance.is(0.5) ? [key] : [] }]
}

/** Changes the catalogue and then asks a customer to obey it: a change that was answered holds for whatever is sent later. */
function planCatalogueCaller(chance: Chance, cast: Cast, customerId: string): Caller {
  const change = pickCatalogueStep(chance, cast)
  const productKey = chance.pick(cast.productKeys)
  const steps: Step[] = [change]
  if (change.do === 'delete feature') {
    steps.push({ do: 'create feature', featureKey: change.featureKey })
    steps.push({ do: 'set access', productKey, access: pickAccess(chance) })
  }
  const probe: Step = chance.is(0.6)
    ? { do: 'record', ...pickRecord(chance, customerId), enforceLimit: true }
    : pickCustomerStep(chance, cast, customerId)
  return { customerId, steps: [...steps, probe] }
}
