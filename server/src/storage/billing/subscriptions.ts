// Replacing the rows of a customer's subscriptions by what the provider has now. Call it under the customer's lock.
import type { Subscription, SubscriptionItem } from '../../domain/ledger/state.ts'
import type { Sql } from '../database.ts'

export async function replaceSubscriptions(
  sql: Sql,
  uid: string,
  subscriptions: readonly Subscription[],
): Promise<void> {
  await sql.query('delete from subscription where customer_uid = $1', [uid])
  for (const subscription of subscriptions) {
    await insertSubscription(sql, uid, subscription)
    for (const item of subscription.items) await insertItem(sql, uid, subscription.subscriptionId, item)
  }
}

async function insertSubscription(sql: Sql, uid: string, subscription: Subscription): Promise<void> {
  await sql.query(
    `insert into subscription (customer_uid, subscription_id, status, phase, started_at, billing_anchor_at,
       canceled_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      uid,
      subscription.subscriptionId,
      subscription.status,
      subscription.phase,
      subscription.startedAt,
      subscription.billingAnchorAt,
      subscription.canceledAt,
    ],
  )
}

async function insertItem(
  sql: Sql,
  uid: string,
  subscriptionId: string,
  item: SubscriptionItem,
): Promise<void> {
  await sql.query(
    `insert into subscription_item (customer_uid, subscription_id, item_id, provider_product_id, provider_price_id, version,
       quantity, is_metered, currency, unit_amount, recurring_interval, recurring_interval_count, is_active,
       current_period_start, current_period_end)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      uid,
      subscriptionId,
      item.itemId,
      item.providerProductId,
      item.providerPriceId,
      item.version,
      item.quantity,
      item.isMetered,
      item.currency,
      item.unitAmount,
      item.recurringInterval,
      item.recurringIntervalCount,
      item.isActive,
      item.currentPeriodStart,
      item.currentPeriodEnd,
    ],
  )
}
