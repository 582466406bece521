// What the chat sells: two features of its own, on the plans `free`, `starter` and `pro` that the demo data already sells. Run at
// every start; what is there stays as it is.
import { type Product, type Tollkeeper, TollkeeperError } from '@tollkeeper/sdk'

export type Plan = { key: string; name: string; price: string }

const features = [
  { featureKey: 'chat_tokens', name: 'Chat tokens', type: 'limit' },
  { featureKey: 'large_model', name: 'Large model', type: 'boolean' },
] as const

const plans = {
  free: { tokens: 500, largeModel: false },
  starter: { tokens: 20_000, largeModel: false },
  pro: { tokens: 200_000, largeModel: true },
}

export async function setUp(tk: Tollkeeper): Promise<Plan[]> {
  const known = new Set((await Array.fromAsync(tk.features.list())).map(({ featureKey }) => featureKey))
  for (const feature of features) if (!known.has(feature.featureKey)) await tk.features.create(feature)
  const products: Product[] = []
  for (const [key, { tokens, largeModel }] of Object.entries(plans)) {
    const product = await findProduct(tk, key)
    products.push(product)
    if (product.featureAccess.some(({ featureKey }) => featureKey === 'chat_tokens')) continue
    // The whole list is replaced, so what the product gives already goes along.
    const given = product.featureAccess.map(({ featureKey, hasAccess, limit, isUnlimited }) => ({
      featureKey,
      hasAccess,
      ...(isUnlimited ? { isUnlimited } : typeof limit === 'number' ? { limit } : {}),
    }))
    await tk.products.setFeatureAccess(key, [
      ...given,
      { featureKey: 'chat_tokens', hasAccess: true, limit: tokens },
      { featureKey: 'large_model', hasAccess: largeModel },
    ])
  }
  return products.map(({ key, name, prices }) => ({ key, name, price: formatPrice(prices) }))
}

/** Free is the default product: whoever has bought nothing holds it. The others are sold by the payment provider. */
async function findProduct(tk: Tollkeeper, key: string): Promise<Product> {
  try {
    return await tk.products.get(key)
  } catch (error) {
    if (!(error instanceof TollkeeperError) || error.status !== 404) throw error
    if (key === 'free') return tk.products.createCustom({ productKey: key, name: 'Free', isDefault: true })
    throw new Error(`There is no product ${key}: start the service with its demo data, or link one of yours.`)
  }
}

function formatPrice(prices: Product['prices']): string {
  const price = prices.find(({ isDefault }) => isDefault) ?? prices.find(({ isActive }) => isActive)
  if (!price?.currency || price.unitAmount === null) return 'Free'
  const money = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: price.currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  return `${money.format(price.unitAmount / 100)} a ${price.recurringInterval ?? 'time'}`
}
