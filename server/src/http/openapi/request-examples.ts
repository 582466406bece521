// A body for every operation that takes one, as a newcomer would send it.

const atEndOfNovember = Date.UTC(2026, 11, 1)

export const requestExamples: Record<string, object> = {
  createFeature: { featureKey: 'api_calls', name: 'API calls', type: 'limit', usageResetInterval: 'month' },
  updateFeature: { name: 'API requests', description: null },
  archiveFeature: { archived: true, reason: 'Replaced by tokens' },
  createCustomProduct: {
    productKey: 'enterprise',
    name: 'Enterprise',
    featureAccess: [
      { featureKey: 'api_calls', hasAccess: true, limit: 1000000 },
      { featureKey: 'sso', hasAccess: true },
    ],
  },
  linkProduct: { productKey: 'pro', providerProductId: 'prod_QXg1hqf4jFNsqG' },
  updateProduct: { name: 'Enterprise', isDefault: false },
  setFeatureAccess: {
    featureAccess: [
      { featureKey: 'api_calls', hasAccess: true, limit: 1000 },
      { featureKey: 'seats', hasAccess: true, isUnlimited: true },
    ],
  },
  archiveProduct: { archived: true },
  migrateCustomers: { fromVersion: 1, dryRun: true },
  createCustomer: { customerId: 'acme', name: 'Acme', email: 'jo@acme.test', ifExists: 'return' },
  createCustomerBatch: {
    customers: [
      { customerId: 'acme', name: 'Acme', email: 'jo@acme.test', ifExists: 'update' },
      { customerId: 'globex', name: 'Globex', ifExists: 'update' },
    ],
  },
  updateCustomer: { name: 'Acme Inc.', addCustomProductKeys: ['enterprise'] },
  startCheckout: { productKey: 'pro', successUrl: 'https://app.acme.test/welcome' },
  openPortal: { returnUrl: 'https://app.acme.test/account' },
  recordUsage: {
    customerId: 'acme',
    featureKey: 'api_calls',
    eventKey: 'req-7f3a',
    amount: 3,
    enforceLimit: true,
  },
  recordUsageBatch: {
    events: [
      { customerId: 'acme', featureKey: 'api_calls', eventKey: 'req-7f3a', amount: 3 },
      { customerId: 'acme', featureKey: 'api_calls', eventKey: 'req-7f3b' },
    ],
  },
  setUsage: { customerId: 'acme', featureKey: 'seats', used: 12, eventKey: 'seats-2026-11-14' },
  amendUsage: { amount: 2 },
  createBonus: {
    customerId: 'acme',
    featureKey: 'api_calls',
    amount: 500,
    expiresAt: atEndOfNovember,
    reason: 'sorry for the outage',
  },
  updateBonus: { amount: 600, expiresAt: null },
  setTestClock: { now: atEndOfNovember },
}
