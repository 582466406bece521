// Reading everything a customer has into one value: a few look-ups by customer, for many customers at once.
import type { Environment } from '../../domain/environment.ts'
import type { Assignment, Customer, CustomerState, Subscription } from '../../domain/ledger/state.ts'
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'
import type { Statement } from '../pipelined-connection.ts'
import { type BonusRow, bonusColumns, toBonus } from './bonus-rows.ts'
import { type CounterRow, counterColumns, toCounter } from './counter-rows.ts'

/** A customer's state as JSON, in the order of `stateJson`. */
export type StateRow = [
  asOf: number,
  catalogueRevision: number,
  revision: number,
  customer: CustomerRow,
  assignments: AssignmentRow[] | null,
  subscriptions: SubscriptionRow[] | null,
  openBonuses: BonusRow[] | null,
  counters: [counter: CounterRow, drawnOn: BonusRow[] | null][] | null,
]

type CustomerRow = [
  customerUid: string,
  customerHash: string,
  environment: Environment,
  customerId: string,
  name: string | null,
  email: string | null,
  createdAt: number,
  usageStartedAt: number,
  providerCustomerId: string | null,
  hasPaymentMethod: boolean,
  lastEventAt: number | null,
  usedFeatures: number[],
  metadata: Record<string, string>,
  mainEndedAt: number | null,
  fellBackAt: number | null,
]

type AssignmentRow = [productId: string, version: number, startedAt: number]

type SubscriptionRow = [
  subscriptionId: string,
  status: string,
  phase: Subscription['phase'],
  startedAt: number,
  billingAnchorAt: number,
  canceledAt: number | null,
  item: ItemRow | null,
]

type ItemRow = [
  itemId: string,
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
  isMetered: boolean,
]

// One expression, so one snapshot and one value a customer: most have a product or two and none of the rest, which costs a
// look-up each. Spent and expired bonuses stay out, or a read would cost more the more bonuses a customer had. Look-ups that
// hang on others are kept from being turned round. Business time and the catalogue's revision come of the same snapshot.
/** The state of the customer `c`, whose environment is `t`, for `toState`. */
export const stateJson = `json_build_array(t.now, t.catalogue_revision, c.revision,
      json_build_array(c.customer_uid, c.customer_hash, c.environment, c.customer_id, c.name, c.email, c.created_at,
        c.usage_started_at, c.provider_customer_id, c.has_payment_method, c.last_event_at, c.used_features, c.metadata,
        c.main_ended_at, c.fell_back_at),
      (select json_agg(json_build_array(p.product_id, p.version, p.started_at))
       from customer_product p where p.customer_uid = c.customer_uid),
      (select json_agg(json_build_array(s.subscription_id, s.status, s.phase, s.started_at, s.billing_anchor_at,
           s.canceled_at,
           case when i.item_id is not null then json_build_array(i.item_id, i.provider_product_id, i.provider_price_id,
             i.version, i.quantity, i.currency, i.unit_amount::text, i.recurring_interval, i.recurring_interval_count,
             i.is_active, i.current_period_start, i.current_period_end, i.is_metered) end)
         order by s.started_at, s.subscription_id, i.item_id)
       from subscription s
       left join subscription_item i on i.customer_uid = s.customer_uid and i.subscription_id = s.subscription_id
       where s.customer_uid = c.customer_uid),
      (select json_agg(json_build_array(${bonusColumns}))
       from bonus b
       where b.customer_uid = c.customer_uid and b.drawn < b.amount and (b.expires_at is null or b.expires_at > t.now)),
      (select json_agg(json_build_array(json_build_array(${counterColumns}), case when u.draw_bonus <> '{}' then (
         select json_agg(json_build_array(${bonusColumns}))
         from unnest(u.draw_bonus) d (bonus_id)
         cross join lateral (
           select * from bonus where customer_uid = u.customer_uid and bonus_id = d.bonus_id offset 0
         ) b
       ) end))
       from usage_counter u where u.customer_uid = c.customer_uid and u.period_end > t.now))`

/** The environment `t` of the customer `c`. */
export const stateEnvironment = `cross join lateral (
    select coalesce(frozen_at, clock_ms()) as now, catalogue_revision
    from environment where environment = c.environment offset 0
  ) t`

const load = (key: 'customer_uid' | 'customer_hash'): Statement => ({
  name: `load-states-by-${key}`,
  text: `select ${stateJson} from customer c ${stateEnvironment} where c.${key} = any($1::uuid[])`,
})
const byUid = load('customer_uid')
const byHash = load('customer_hash')

/** The states of those that exist, by uid. */
export const loadStatesByUid = async (
  sql: Sql,
  uids: readonly string[],
): Promise<Map<string, CustomerState>> =>
  new Map((await loadStates(sql, byUid, uids)).map((state) => [state.customer.customerUid, state]))

/** The states of those that exist, by hash. */
export const loadStatesByHash = async (
  sql: Sql,
  hashes: readonly string[],
): Promise<Map<string, CustomerState>> =>
  new Map((await loadStates(sql, byHash, hashes)).map((state) => [state.customer.customerHash, state]))

async function loadStates(sql: Sql, statement: Statement, keys: readonly string[]): Promise<CustomerState[]> {
  const values = [plainArray(keys)]
  const { rows } = await sql.query<[StateRow]>({ ...statement, values, rowMode: 'array' })
  return rows.map(([row]) => toState(row))
}

export function toState(row: StateRow): CustomerState {
  const [asOf, catalogueRevision, revision, customer, assignments, subscriptions, openBonuses, counters] = row
  // One that is open and drawn on is found twice.
  const bonuses = new Map(openBonuses?.map((bonus) => [bonus[0], toBonus(bonus)]))
  for (const [, drawnOn] of counters ?? [])
    for (const bonus of drawnOn ?? []) bonuses.set(bonus[0], toBonus(bonus))
  return {
    revision,
    catalogueRevision,
    asOf,
    customer: toCustomer(customer),
    assignments: assignments?.map(toAssignment).sort(byStart) ?? [],
    subscriptions: toSubscriptions(subscriptions ?? []),
    bonuses: [...bonuses.values()],
    counters: counters?.map(([counter]) => toCounter(counter)) ?? [],
  }
}

function toCustomer(row: CustomerRow): Customer {
  const [
    customerUid,
    customerHash,
    environment,
    customerId,
    name,
    email,
    createdAt,
    usageStartedAt,
    ...more
  ] = row
  const [providerCustomerId, hasPaymentMethod, lastEventAt, usedFeatures, metadata, ...losses] = more
  const [mainEndedAt, fellBackAt] = losses
  return {
    customerUid,
    customerHash,
    environment,
    customerId,
    name: name ?? undefined,
    email: email ?? undefined,
    metadata,
    createdAt,
    usageStartedAt,
    mainEndedAt: mainEndedAt ?? undefined,
    fellBackAt: fellBackAt ?? undefined,
    providerCustomerId: providerCustomerId ?? undefined,
    hasPaymentMethod,
    lastEventAt: lastEventAt ?? undefined,
    usedFeatures,
  }
}

const byStart = (a: Assignment, b: Assignment): number =>
  a.startedAt - b.startedAt || (a.productId < b.productId ? -1 : 1)

const toAssignment = ([productId, version, startedAt]: AssignmentRow): Assignment => ({
  productId,
  version,
  startedAt,
})

/** A subscription has a row for each of its items. */
function toSubscriptions(rows: SubscriptionRow[]): Subscription[] {
  return [...Map.groupBy(rows, ([subscriptionId]) => subscriptionId).values()].map((group) => {
    const [subscriptionId, status, phase, startedAt, billingAnchorAt, canceledAt] =
      group[0] as SubscriptionRow
    const items = group.flatMap(([, , , , , , item]) => (item === null ? [] : [toItem(item)]))
    return { subscriptionId, status, phase, startedAt, billingAnchorAt, canceledAt, items }
  })
}

function toItem(row: ItemRow): Subscription['items'][number] {
  const [itemId, providerProductId, providerPriceId, version, quantity, currency, unitAmount, ...more] = row
  const [
    recurringInterval,
    recurringIntervalCount,
    isActive,
    currentPeriodStart,
    currentPeriodEnd,
    isMetered,
  ] = more
  return {
    itemId,
    providerProductId,
    providerPriceId,
    version: version ?? undefined,
    quantity,
    isMetered,
    currency,
    unitAmount: unitAmount === null ? null : Number(unitAmount),
    recurringInterval,
    recurringIntervalCount,
    isActive,
    currentPeriodStart,
    currentPeriodEnd,
  }
}
