// The tables that a customer owns: each leads its keys with `customer_uid`. Deletion, purges, the audit and the tests use this
// one list.

/** Those with a `feature_no` are also purged of a deleted feature, but for the sums of usage, which follow the ledger. */
export const customerTables = [
  { name: 'usage_event', hasFeature: true },
  { name: 'usage_counter', hasFeature: true },
  { name: 'bonus_draw', hasFeature: true },
  { name: 'bonus', hasFeature: true },
  { name: 'bonus_request', hasFeature: false },
  { name: 'customer_product', hasFeature: false },
  { name: 'subscription_item', hasFeature: false },
  { name: 'subscription', hasFeature: false },
  { name: 'checkout', hasFeature: false },
  { name: 'usage_hour', hasFeature: false },
  { name: 'usage_day', hasFeature: false },
  { name: 'customer_standing', hasFeature: true },
  { name: 'limit_change', hasFeature: true },
  { name: 'customer_held', hasFeature: false },
  { name: 'statistics_due', hasFeature: false },
] as const
