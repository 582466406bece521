// Reading everything a customer has into one value: a few look-ups by customer, for many customers at once.
import { amountFromText } from '../domain/amount.ts'
import type { Assignment, Bonus, Counter, Customer, CustomerState, Subscription } from '../domain/customer.ts'
import type { Environment } from '../domain/environment.ts'
import type { Sql } from './database.ts'
import type { Statement } from './lane.ts'

type CustomerRow = [
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
]

const customersStatement: Statement = {
  name: 'load-customers',
  text: `select customer_uid, environment, customer_id, revision, name, email, created_at, usage_started_at,
      provider_customer_id, has_payment_method, last_event_at
    from customer where customer_uid = any($1::uuid[])`,
}

type AssignmentRow = [uid: string, productId: string, version: number, startedAt: number]

const assignmentsStatement: Statement = {
  name: 'load-assignments',
  text: `select customer_uid, product_id, version, started_at
    from customer_product where customer_uid = any($1::uuid[]) order by started_at, product_id`,
}

type SubscriptionRow = [
  uid: string,
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

const subscriptionsStatement: Statement = {
  name: 'load-subscriptions',
  text: `select s.customer_uid, s.subscription_id, s.status, s.started_at, s.billing_anchor_at, s.canceled_at,
      i.item_id, i.provider_product_id, i.provider_price_id, i.version, i.quantity, i.currency, i.unit_amount,
      i.recurring_interval, i.recurring_interval_count, i.is_active, i.current_period_start, i.current_period_end
    from subscription s
    left join subscription_item i on i.customer_uid = s.customer_uid and i.subscription_id = s.subscription_id
    where s.customer_uid = any($1::uuid[]) order by s.started_at, s.subscription_id, i.item_id`,
}

export type BonusRow = [
  uid: string,
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

export const bonusColumns = `b.customer_uid, b.bonus_id, b.feature_no, b.amount, b.drawn, b.created_at, b.updated_at,
  b.expires_at, b.reason, b.metadata`

// Spent and expired bonuses stay out, or a read would cost more the more bonuses a customer had.
const bonusesStatement: Statement = {
  name: 'load-bonuses',
  text: `select ${bonusColumns} from bonus b
    where b.customer_uid = any($1::uuid[]) and b.drawn < b.amount and (b.expires_at is null or b.expires_at > $2)
    union
    select ${bonusColumns}
    from (
      select distinct customer_uid, unnest(draw_bonus) as bonus_id
      from usage_counter where customer_uid = any($1::uuid[]) and period_end > $2 and draw_bonus <> '{}'
    ) d
    join bonus b on b.customer_uid = d.customer_uid and b.bonus_id = d.bonus_id`,
}

export type CounterRow = [
  uid: string,
  featureNo: number,
  start: number,
  end: number,
  total: string,
  drawBonus: string[],
  drawAmount: string[],
]

const countersStatement: Statement = {
  name: 'load-counters',
  text: `select customer_uid, feature_no, period_start, period_end, total, draw_bonus::text[], draw_amount::text[]
    from usage_counter where customer_uid = any($1::uuid[]) and period_end > $2`,
}

/**
 * The states of those that exist. Call it in one snapshot or under the customers' locks: it is several statements, sent at
 * once on a pipelined connection.
 */
export async function loadStates(
  sql: Sql,
  uids: readonly string[],
  now: number,
): Promise<Map<string, CustomerState>> {
  const list = `{${uids.join()}}`
  const ask = async <Row extends unknown[]>({ name, text }: Statement, values: unknown[]) =>
    (await sql.query<Row>({ name, text, values, rowMode: 'array' })).rows
  const [customers, assignments, subscriptions, bonuses, counters] = await Promise.all([
    ask<CustomerRow>(customersStatement, [list]),
    ask<AssignmentRow>(assignmentsStatement, [list]),
    ask<SubscriptionRow>(subscriptionsStatement, [list]),
    ask<BonusRow>(bonusesStatement, [list, now]),
    ask<CounterRow>(countersStatement, [list, now]),
  ])
  const assignmentsOf = Map.groupBy(assignments, (row) => row[0])
  const subscriptionsOf = Map.groupBy(subscriptions, (row) => row[0])
  const bonusesOf = Map.groupBy(bonuses, (row) => row[0])
  const countersOf = Map.groupBy(counters, (row) => row[0])
  return new Map(
    customers.map((row) => {
      const uid = row[0]
      const state: CustomerState = {
        revision: row[3],
        asOf: now,
        customer: toCustomer(row),
        assignments: assignmentsOf.get(uid)?.map(toAssignment) ?? [],
        subscriptions: toSubscriptions(subscriptionsOf.get(uid) ?? []),
        bonuses: bonusesOf.get(uid)?.map(toBonus) ?? [],
        counters: countersOf.get(uid)?.map(toCounter) ?? [],
      }
      return [uid, state]
    }),
  )
}

const toCustomer = (row: CustomerRow): Customer => ({
  customerUid: row[0],
  environment: row[1],
  customerId: row[2],
  name: row[4] ?? undefined,
  email: row[5] ?? undefined,
  createdAt: row[6],
  usageStartedAt: row[7],
  providerCustomerId: row[8] ?? undefined,
  hasPaymentMethod: row[9],
  lastEventAt: row[10] ?? undefined,
})

const toAssignment = ([, productId, version, startedAt]: AssignmentRow): Assignment => ({
  productId,
  version,
  startedAt,
})

function toSubscriptions(rows: SubscriptionRow[]): Subscription[] {
  return [...Map.groupBy(rows, (row) => row[1]).values()].map((group) => {
    const [, subscriptionId, status, startedAt, billingAnchorAt, canceledAt] = group[0] as SubscriptionRow
    const items = group.flatMap((row) => (row[6] === null ? [] : [toItem(row, row[6])]))
    return { subscriptionId, status, startedAt, billingAnchorAt, canceledAt, items }
  })
}

const toItem = (row: SubscriptionRow, itemId: string) => ({
  itemId,
  providerProductId: row[7],
  providerPriceId: row[8],
  version: row[9] ?? undefined,
  quantity: row[10],
  currency: row[11],
  unitAmount: row[12] === null ? null : Number(row[12]),
  recurringInterval: row[13],
  recurringIntervalCount: row[14],
  isActive: row[15],
  currentPeriodStart: row[16],
  currentPeriodEnd: row[17],
})

export const toBonus = (row: BonusRow): Bonus => ({
  bonusId: row[1],
  featureNo: row[2],
  amount: amountFromText(row[3]),
  drawn: amountFromText(row[4]),
  createdAt: row[5],
  updatedAt: row[6],
  expiresAt: row[7] ?? undefined,
  reason: row[8] ?? undefined,
  metadata: row[9],
})

export const toCounter = ([, featureNo, start, end, total, drawBonus, drawAmount]: CounterRow): Counter => ({
  featureNo,
  period: { start, end },
  total: amountFromText(total),
  draws: drawBonus.map((bonusId, index) => ({
    bonusId,
    amount: amountFromText(drawAmount[index] as string),
  })),
})
