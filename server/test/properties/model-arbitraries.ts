// How likely which step of a random history is, and what it may be made of: few customers, features and keys, so that steps
// meet one another, and instants around resets and expiries.
import fc from 'fast-check'
import {
  type Access,
  type Allowed,
  anchors,
  type Beginning,
  customerIds,
  featureKeys,
  type Instant,
  intervals,
  productKeys,
  type RecordItem,
  type Step,
  trackedKeys,
} from './model-steps.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const oneOf = fc.constantFrom
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

// Most steps go to one ledger, so that much happens in it.
const customerId = fc.oneof({ weight: 3, arbitrary: oneOf(customerIds[0]) }, oneOf(...customerIds))
const featureKey = fc.oneof(
  { weight: 9, arbitrary: oneOf(trackedKeys[0]) },
  { weight: 4, arbitrary: oneOf(...trackedKeys) },
  oneOf(...featureKeys),
)
const productKey = oneOf(...productKeys)
const subject = { customerId, featureKey }
const eventKey = oneOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l')
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 8 }) },
  { weight: 3, arbitrary: fc.integer({ min: -6, max: -1 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }).map((tenths) => tenths / 10) },
  oneOf(0.000001, 1e12, -0.3),
)
const metadata = oneOf<Record<string, string>[]>({ by: 'x' }, {})
const plus = oneOf(
  0,
  1,
  -1,
  hourMs,
  -hourMs,
  dayMs,
  -dayMs,
  -7 * dayMs,
  31 * dayMs,
  -31 * dayMs,
  -366 * dayMs,
)
const past: fc.Arbitrary<Instant> = fc.oneof(
  fc.record({
    from: oneOf('now' as const),
    plus: oneOf(-1, -hourMs, -dayMs, -31 * dayMs, 0, 300_000, 300_001),
  }),
  fc.record({ from: oneOf('lastReset' as const), plus: oneOf(0, -1, 1, -dayMs, -40 * dayMs) }),
)
const future: fc.Arbitrary<Instant> = fc.oneof(
  fc.record({ from: oneOf('now' as const), plus: oneOf(0, 1, hourMs, dayMs, 20 * dayMs, 50 * dayMs) }),
  fc.record({ from: oneOf('nextReset' as const), plus: oneOf(-1, 0, 1, dayMs) }),
)
const anywhen: fc.Arbitrary<Instant> = fc.oneof(
  fc.record({ from: oneOf('now' as const), plus }),
  fc.record({ from: oneOf('nextReset' as const, 'lastReset' as const), plus: oneOf(-1, 0, 1) }),
)

const recordItem = fc.record(
  { ...subject, eventKey, amount, at: past, enforceLimit: fc.boolean(), metadata },
  { requiredKeys: ['customerId', 'featureKey', 'eventKey'] },
) as fc.Arbitrary<RecordItem>
const event = fc.nat({ max: 14 })
const bonus = fc.nat({ max: 6 })

const usageStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: recordItem.map((item) => ({ do: 'record' as const, ...item })) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: oneOf('batch' as const),
      items: fc.array(recordItem, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: oneOf('set' as const),
      ...subject,
      eventKey,
      used: fc.integer({ min: 0, max: 20 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        do: oneOf('amend' as const),
        event,
        amount,
        at: past,
        eventKey: fc.option(eventKey),
        metadata: fc.option(metadata),
      },
      { requiredKeys: ['do', 'event'] },
    ) as fc.Arbitrary<Step>,
  },
  { weight: 3, arbitrary: fc.record({ do: oneOf('delete event' as const, 'read event' as const), event }) },
)

const bonusStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        do: oneOf('give' as const),
        ...subject,
        amount: oneOf(1, 2, 3, 5, 0.5, 20),
        expires: future,
        idempotencyKey: oneOf('once', 'twice'),
      },
      { requiredKeys: ['do', 'customerId', 'featureKey', 'amount'] },
    ) as fc.Arbitrary<Step>,
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        do: oneOf('change bonus' as const),
        bonus,
        amount: oneOf(1, 2, 4, 10),
        expires: fc.option(future),
        reason: fc.option(oneOf('x')),
      },
      { requiredKeys: ['do', 'bonus'] },
    ) as fc.Arbitrary<Step>,
  },
  { weight: 2, arbitrary: fc.record({ do: oneOf('delete bonus' as const, 'read bonus' as const), bonus }) },
)

const clockStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: oneOf('clock' as const), ...subject, to: anywhen }) },
  fc.record({ do: oneOf('clock at expiry' as const), bonus, plus: oneOf(-1, 0, 1) }),
)

const limit = fc.oneof(
  { weight: 4, arbitrary: oneOf(0, 1, 2, 3, 5, 2.5) },
  oneOf('none', 'denied', 'unlimited'),
)
const flag = oneOf<Allowed[]>('none', 'denied', 0)
export const access: fc.Arbitrary<Access> = fc.record({ calls: limit, seats: limit, cap: limit, flag })

const catalogueStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        do: oneOf('change feature' as const),
        featureKey,
        usageResetInterval: oneOf(...intervals),
        usageResetAnchor: oneOf(...anchors),
        tracksUsage: fc.oneof({ weight: 4, arbitrary: oneOf(true) }, oneOf(false)),
      },
      { requiredKeys: ['do', 'featureKey'] },
    ) as fc.Arbitrary<Step>,
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: oneOf('create feature' as const, 'archive feature' as const, 'unarchive feature' as const),
      featureKey: oneOf(...featureKeys),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: oneOf('delete feature' as const), featureKey: oneOf(...featureKeys) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: oneOf('delete product' as const, 'count units' as const), productKey }),
  },
  { weight: 4, arbitrary: fc.record({ do: oneOf('set access' as const), productKey, access }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: oneOf(
        'new version' as const,
        'migrate' as const,
        'archive product' as const,
        'unarchive product' as const,
        'make default' as const,
        'unmake default' as const,
        'make add-on' as const,
        'unmake add-on' as const,
      ),
      productKey,
    }),
  },
)

const customerStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: oneOf('assign' as const, 'unassign' as const), customerId, productKey }),
  },
  { weight: 2, arbitrary: fc.record({ do: oneOf('move start' as const), ...subject, to: anywhen }) },
  { weight: 1, arbitrary: fc.record({ do: oneOf('delete customer' as const), customerId }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: oneOf('create customer' as const),
      customerId,
      customProductKeys: fc.subarray([...productKeys]),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: oneOf('create customer' as const),
      customerId,
      customProductKeys: fc.subarray([...productKeys]),
      ifExists: oneOf('return' as const, 'update' as const),
    }),
  },
)

const readStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: oneOf('check' as const),
    ...subject,
    amount: optional(oneOf(0, 1, 4, 2.5)),
  }) as fc.Arbitrary<Step>,
  fc.record({
    do: oneOf('read customer' as const, 'list usage' as const, 'list bonuses' as const),
    customerId,
  }),
  fc.record({
    do: oneOf('summarise' as const),
    ...subject,
    interval: oneOf('hour' as const, 'day' as const, 'week' as const, 'month' as const),
    from: fc.record({ from: oneOf('now' as const), plus: oneOf(-hourMs, -7 * dayMs, -40 * dayMs) }),
    to: fc.record({ from: oneOf('now' as const, 'lastReset' as const), plus: oneOf(0, 1, dayMs) }),
  }),
)

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: usageStep },
  { weight: 9, arbitrary: bonusStep },
  { weight: 7, arbitrary: clockStep },
  { weight: 6, arbitrary: catalogueStep },
  { weight: 4, arbitrary: customerStep },
  { weight: 3, arbitrary: readStep },
)

export const beginning: fc.Arbitrary<Beginning> = fc.record({
  startAt: oneOf(
    Date.UTC(2026, 0, 31, 10),
    Date.UTC(2024, 1, 29),
    Date.UTC(2025, 11, 31, 23, 59, 59, 999),
    Date.UTC(2026, 2, 30, 12, 30),
  ),
  features: fc.tuple(
    ...trackedKeys.map(() =>
      fc.record({ usageResetInterval: oneOf(...intervals), usageResetAnchor: oneOf(...anchors) }),
    ),
  ),
  products: fc.tuple(access, access, access),
  freeIsDefault: fc.boolean(),
  assigned: fc.tuple(fc.subarray([...productKeys]), fc.subarray([...productKeys])),
})
