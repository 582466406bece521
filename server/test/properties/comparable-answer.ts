// What of an answer is held against the reference model's, in one form for both.

// Texts of errors, ids that the model does not give and what comes from the payment provider are left out.
const notModelled = new Set([
  'error',
  'code',
  'nextCursor',
  'changes',
  'providerCustomerId',
  'hasPaymentMethod',
])

export function toComparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComparable)
  if (typeof value !== 'object' || value === null) return value
  const isNamedByKey = 'key' in value || 'featureKey' in value
  const isEvent = 'source' in value
  const isProviderProduct = 'type' in value && value.type === 'provider'
  const entries = Object.entries(value)
    .filter(([key]) => !notModelled.has(key) && !(key === 'id' && isNamedByKey && !isEvent))
    // Some answers omit it.
    .filter(([key]) => !(key === 'metadata' && isProviderProduct))
    .map(([key, each]) => [key, inOneOrder(key, toComparable(each), 'customerId' in value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries)
}

/** The order of a customer's products and of bonuses made at one instant is not modelled, nor what a price costs. */
function inOneOrder(key: string, value: unknown, isCustomer: boolean): unknown {
  if (!Array.isArray(value)) return value
  if (key === 'products' && isCustomer) return value.toSorted(byText)
  if (key === 'bonuses') return value.toSorted((a, b) => (a.bonusId < b.bonusId ? -1 : 1))
  if (key === 'prices') {
    return value
      .filter((price) => 'quantity' in price)
      .map(({ providerPriceId, quantity }) => ({ providerPriceId, quantity }))
  }
  return value
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
