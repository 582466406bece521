// What a customer of the demo data used: ninety days with a weekly rhythm, scaled so that the current period comes out at the
// share of the limit that its story asks for.
import { computePeriod } from '../access/period.ts'
import { type Chance, createChance } from './chance.ts'
import { type DemoPlan, usualAmount } from './company.ts'
import type { DemoCustomer } from './customers.ts'

export type DemoEvent = { featureKey: string; eventKey: string; occurredAt: number; amount: number }

type Weighted = { at: number; weight: number }

const dayMs = 86_400_000
const hourMs = 3_600_000
const days = 90
// From Sunday on.
const weekRhythm = [0.18, 1, 1.12, 1.16, 1.05, 0.84, 0.24] as const
const growth = 0.35
// Events of a usual working day.
const callsPerDay: Record<DemoPlan, number> = { free: 3, starter: 4, pro: 5, enterprise: 6 }

export const toCreatedAt = ({ daysAgo }: DemoCustomer, now: number): number => now - daysAgo * dayMs

/** In the order in which they happened, none after `now`. */
export function computeDemoUsage(customer: DemoCustomer, now: number): DemoEvent[] {
  const chance = createChance(customer.customerId)
  const createdAt = toCreatedAt(customer, now)
  const firstDay = Math.floor(Math.max(createdAt, now - days * dayMs) / dayMs)
  const lastDay = Math.floor(now / dayMs)
  const list = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index)
  const within = ({ at }: Weighted) => at >= createdAt && at <= now
  const events = [
    ...scale(
      customer,
      'api_calls',
      customer.share,
      0,
      now,
      spreadCalls(customer, list, chance).filter(within),
    ),
    ...scale(
      customer,
      'ai_credits',
      customer.share * chance.between(0.5, 0.95),
      2,
      now,
      spreadCredits(list, chance).filter(within),
    ),
    ...exportReports(customer, list, chance).filter(({ occurredAt: at }) => within({ at, weight: 1 })),
    ...fillSeats(customer, createdAt, now, chance),
  ]
  return events.sort((one, other) => one.occurredAt - other.occurredAt)
}

/** How busy a day is: the week's rhythm, a growing business, and chance. */
const busyness = (day: number, list: number[], chance: Chance): number => {
  // 1970 began on a Thursday.
  const ofWeek = weekRhythm[(day + 4) % 7] as number
  const age = list.length > 1 ? (day - (list[0] as number)) / (list.length - 1) : 1
  return ofWeek * (1 - growth + growth * age) * chance.between(0.8, 1.2)
}

function spreadCalls({ plan }: DemoCustomer, list: number[], chance: Chance): Weighted[] {
  return list.flatMap((day) => {
    const weight = busyness(day, list, chance)
    const count = Math.max(1, Math.round(callsPerDay[plan] * weight))
    return Array.from({ length: count }, (_, index) => ({
      at: atHour(day, ((index + chance.next()) / count) * 24, chance),
      weight: (weight / count) * chance.between(0.7, 1.3),
    }))
  })
}

const spreadCredits = (list: number[], chance: Chance): Weighted[] =>
  list.flatMap((day) => {
    const weight = busyness(day, list, chance)
    return chance.isLucky(0.45 * Math.min(1, weight + 0.2))
      ? [{ at: atHour(day, chance.between(8, 19), chance), weight: weight * chance.between(0.4, 1.6) }]
      : []
  })

const atHour = (day: number, hour: number, chance: Chance): number =>
  Math.floor(day * dayMs + hour * hourMs + chance.next() * 60_000)

/** Amounts for weights, so that those of the current period add up to a share of the limit. */
function scale(
  { plan, daysAgo }: DemoCustomer,
  featureKey: string,
  share: number,
  digits: number,
  now: number,
  weighted: Weighted[],
): DemoEvent[] {
  const { start } = computePeriod('month', now - daysAgo * dayMs, now)
  const current = weighted.filter(({ at }) => at >= start).reduce((sum, { weight }) => sum + weight, 0)
  // A period that has only begun says little: then a month's usual weight.
  const factor = (share * usualAmount(plan, featureKey)) / Math.max(current, 8)
  const unit = 10 ** -digits
  return weighted.map(({ at, weight }, index) => ({
    featureKey,
    eventKey: `demo-${featureKey}-${index}`,
    occurredAt: at,
    amount: Math.max(unit, Number((weight * factor).toFixed(digits))),
  }))
}

/** Some on most working days; whoever is beyond its limit of calls exports all it may as well. */
function exportReports({ plan, share }: DemoCustomer, list: number[], chance: Chance): DemoEvent[] {
  const most = usualAmount(plan, 'exports')
  return list.flatMap((day) => {
    const busy = busyness(day, list, chance)
    if (!chance.isLucky(0.4 * busy)) return []
    const amount = Math.ceil(most * Math.min(1, share * chance.between(0.2, 0.9)))
    const occurredAt = atHour(day, chance.between(9, 18), chance)
    return [{ featureKey: 'exports', eventKey: `demo-exports-${day}`, occurredAt, amount }]
  })
}

/** A few people at first, then one after the other, up to about the same share of the seats. */
function fillSeats(
  { plan, share }: DemoCustomer,
  createdAt: number,
  now: number,
  chance: Chance,
): DemoEvent[] {
  const wanted = Math.max(1, Math.round(usualAmount(plan, 'seats') * Math.min(1, share + 0.15)))
  const first = Math.max(1, Math.ceil(wanted * 0.4))
  const joined = Array.from({ length: wanted - first }, () =>
    Math.floor(chance.between(createdAt + 60_000, now)),
  )
  return [createdAt, ...joined.sort((one, other) => one - other)].map((occurredAt, index) => ({
    featureKey: 'seats',
    eventKey: `demo-seats-${index}`,
    occurredAt,
    amount: index === 0 ? first : 1,
  }))
}
