// Reading everything a customer has into one value: a few look-ups by customer, for many customers at once.
import { amountFromText } from '../../domain/amount.ts'
import type { Environment } from '../../domain/environment.ts'
import type {
  Assignment,
  Bonus,
  Counter,
  Customer,
  CustomerState,
  Subscription,
} from '../../domain/ledger/state.ts'
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'
import type { Statement } from '../pipelined-connection.ts'

/** A customer's state as JSON, in the order of `stateJson`. */
export type StateRow = [
  asOf: number,
  uid: string,
  environment: Environment,
  customerId: string,
  revision: number,
  name: string | null,
  email: string | null,
  createdAt: number,
  usageStartedAt: number,
  providerCustomerId: string | null,
  hasPaymentMethod: boolean,
  lastEventAt: number | null,
  usedFeatures: number[],
  assignments: AssignmentRow[] | null,
  subscriptions: SubscriptionRow[] | null,
  openBonuses: BonusRow[] | null,
  counters: [...CounterRow, drawnBonuses: BonusRow[] | null][] | null,
]

type AssignmentRow = [productId: string, version: number, startedAt: number]

type SubscriptionRow = [
  subscriptionId: string,
  status: string,
  startedAt: number,
  billingAnchorAt: number,
  canceledAt: number | null,
  itemId: string | null,
  providerProductId: string,
  providerPriceId: string,
  version: number | null,
  quantity: number,
  currency: string | null,
  unitAmount: string | null,
  recurringInterval: string | null,
  recurringIntervalCount: number | null,
  isActive: boolean,
  currentPeriodStart: number,
  currentPeriodEnd: number,
]

export type BonusRow = [
  bonusId: string,
  featureNo: number,
  amount: string,
  drawn: string,
  createdAt: number,
  updatedAt: number,
  expiresAt: number | null,
  reason: string | null,
  metadata: Record<string, string>,
]

/** Amounts as text: a JSON number would be a float. */
export const bonusColumns = `b.bonus_id, b.feature_no, b.amount::text, b.drawn::text, b.created_at, b.updated_at,
  b.expires_at, b.reason, b.metadata`

export type CounterRow = [
  featureNo: number,
  start: number,
  end: number,
  total: string,
  drawBonus: string[],
  drawAmount: string[],
]

export const counterColumns =
  'u.feature_no, u.period_start, u.period_end, u.total::text, u.draw_bonus::text[], u.draw_amount::text[]'

// One expression, so one snapshot and one value a customer: most have a product or two and none of the rest, which costs a
// look-up each. Spent and expired bonuses stay out, or a read would cost more the more
// bonuses a customer had. Look-ups that hang on others are kept from being turned round.
/** The state of the customer `c` at `now`, for `toState`. */
export const stateJson = (
  now: string,
) => `json_build_array(${now}, c.customer_uid, c.environment, c.customer_id, c.revision, c.name, c.email, c.created_at,
      c.usage_started_at, c.provider_customer_id, c.has_payment_method, c.last_event_at, c.used_features,
      (select json_agg(json_build_array(p.product_id, p.version, p.started_at))
       from customer_product p where p.customer_uid = c.customer_uid),
      (select json_agg(json_build_array(s.subscription_id, s.status, s.started_at, s.billing_anchor_at, s.canceled_at,
           i.item_id, i.provider_product_id, i.provider_price_id, i.version, i.quantity, i.currency, i.unit_amount::text,
           i.recurring_interval, i.recurring_interval_count, i.is_active, i.current_period_start, i.current_period_end)
         order by s.started_at, s.subscription_id, i.item_id)
       from subscription s
       left join subscription_item i on i.customer_uid = s.customer_uid and i.subscription_id = s.subscription_id
       where s.customer_uid = c.customer_uid),
      (select json_agg(json_build_array(${bonusColumns}))
       from bonus b
       where b.customer_uid = c.customer_uid and b.drawn < b.amount and (b.expires_at is null or b.expires_at > ${now})),
      (select json_agg(json_build_array(${counterColumns}, case when u.draw_bonus <> '{}' then (
         select json_agg(json_build_array(${bonusColumns}))
         from unnest(u.draw_bonus) d (bonus_id)
         cross join lateral (
           select * from bonus where customer_uid = u.customer_uid and bonus_id = d.bonus_id offset 0
         ) b
       ) end))
       from usage_counter u where u.customer_uid = c.customer_uid and u.period_end > ${now}))`

const loadStatement: Statement = {
  name: 'load-customers',
  text: `select ${stateJson('$2::bigint')} from customer c where c.customer_uid = any($1::uuid[])`,
}

/** The states of those that exist. */
export async function loadStates(
  sql: Sql,
  uids: readonly string[],
  now: number,
): Promise<Map<string, CustomerState>> {
  const { rows } = await sql.query<[StateRow]>({
    ...loadStatement,
    values: [plainArray(uids), now],
    rowMode: 'array',
  })
  return new Map(rows.map(([row]) => [row[1], toState(row)]))
}

export function toState(row: StateRow): CustomerState {
  // One that is open and drawn on is found twice.
  const bonuses = new Map<string, Bonus>()
  for (const bonus of row[15] ?? []) bonuses.set(bonus[0], toBonus(bonus))
  for (const [, , , , , , drawn] of row[16] ?? [])
    for (const bonus of drawn ?? []) bonuses.set(bonus[0], toBonus(bonus))
  return {
    revision: row[4],
    asOf: row[0],
    customer: toCustomer(row),
    assignments: row[13]?.map(toAssignment).sort(byStart) ?? [],
    subscriptions: toSubscriptions(row[14] ?? []),
    bonuses: [...bonuses.values()],
    counters: row[16]?.map(toCounter) ?? [],
  }
}

const toCustomer = (row: StateRow): Customer => ({
  customerUid: row[1],
  environment: row[2],
  customerId: row[3],
  name: row[5] ?? undefined,
  email: row[6] ?? undefined,
  createdAt: row[7],
  usageStartedAt: row[8],
  providerCustomerId: row[9] ?? undefined,
  hasPaymentMethod: row[10],
  lastEventAt: row[11] ?? undefined,
  usedFeatures: row[12],
})

const byStart = (a: Assignment, b: Assignment): number =>
  a.startedAt - b.startedAt || (a.productId < b.productId ? -1 : 1)

const toAssignment = ([productId, version, startedAt]: AssignmentRow): Assignment => ({
  productId,
  version,
  startedAt,
})

function toSubscriptions(rows: SubscriptionRow[]): Subscription[] {
  return [...Map.groupBy(rows, (row) => row[0]).values()].map((group) => {
    const [subscriptionId, status, startedAt, billingAnchorAt, canceledAt] = group[0] as SubscriptionRow
    const items = group.flatMap((row) => (row[5] === null ? [] : [toItem(row, row[5])]))
    return { subscriptionId, status, startedAt, billingAnchorAt, canceledAt, items }
  })
}

const toItem = (row: SubscriptionRow, itemId: string) => ({
  itemId,
  providerProductId: row[6],
  providerPriceId: row[7],
  version: row[8] ?? undefined,
  quantity: row[9],
  currency: row[10],
  unitAmount: row[11] === null ? null : Number(row[11]),
  recurringInterval: row[12],
  recurringIntervalCount: row[13],
  isActive: row[14],
  currentPeriodStart: row[15],
  currentPeriodEnd: row[16],
})

export const toBonus = (row: BonusRow): Bonus => ({
  bonusId: row[0],
  featureNo: row[1],
  amount: amountFromText(row[2]),
  drawn: amountFromText(row[3]),
  createdAt: row[4],
  updatedAt: row[5],
  expiresAt: row[6] ?? undefined,
  reason: row[7] ?? undefined,
  metadata: row[8],
})

export const toCounter = ([featureNo, start, end, total, drawBonus, drawAmount]: readonly [
  ...CounterRow,
  ...unknown[],
]): Counter => ({
  featureNo,
  period: { start, end },
  total: amountFromText(total),
  draws: drawBonus.map((bonusId, index) => ({
    bonusId,
    amount: amountFromText(drawAmount[index] as string),
  })),
})
