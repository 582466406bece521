// The tables that a customer owns: each leads its keys with `customer_uid`. Deletion, purges, the audit and the tests use this
// one list.

/** Those with a `feature_no` are also purged of a deleted feature. */
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
] as const
