// A catalogue small enough for the first minutes: three features, a free default product, and Pro at the simulated provider.
import { servicePrincipal } from '../../domain/principal.ts'
import { openContext } from '../context.ts'
import { createFeature } from '../features/create-feature.ts'
import type { Services } from '../services.ts'
import { createCustomProduct } from './create-custom-product.ts'
import { linkProduct } from './link-product.ts'
import { setFeatureAccess } from './set-feature-access.ts'

/** Where the simulator speaks its protocol, and its key. */
export type SimulatorAddress = { url: string; secretKey: string }

/** False when the test environment has something in it already. */
export async function seedCatalogue(services: Services, simulator: SimulatorAddress): Promise<boolean> {
  const context = await openContext(services, servicePrincipal('test', 'first start'))
  const { features, products } = context.catalogue
  if (features.size > 0 || products.size > 0) return false
  await createFeature(services, context, { featureKey: 'api_calls', name: 'API calls', type: 'limit' })
  const seats = { featureKey: 'seats', name: 'Seats', type: 'limit', usageResetInterval: 'never' } as const
  await createFeature(services, context, seats)
  await createFeature(services, context, { featureKey: 'sso', name: 'Single sign-on', type: 'boolean' })
  await createCustomProduct(services, context, {
    productKey: 'free',
    name: 'Free',
    isDefault: true,
    featureAccess: [
      { featureKey: 'api_calls', hasAccess: true, limit: 1000 },
      { featureKey: 'seats', hasAccess: true, limit: 2 },
      { featureKey: 'sso', hasAccess: false },
    ],
  })
  const providerProductId = await createProviderProduct(simulator)
  await linkProduct(services, context, { productKey: 'pro', providerProductId })
  await setFeatureAccess(services, context, 'pro', [
    { featureKey: 'api_calls', hasAccess: true, limit: 100_000 },
    { featureKey: 'seats', hasAccess: true, limit: 20 },
    { featureKey: 'sso', hasAccess: true },
  ])
  return true
}

/** Made as an account's owner would make it, through the provider's own protocol. */
async function createProviderProduct(simulator: SimulatorAddress): Promise<string> {
  const product = await post(simulator, 'products', { name: 'Pro', 'metadata[product_key]': 'pro' })
  const common = { product, currency: 'usd' }
  const monthly = await post(simulator, 'prices', {
    ...common,
    unit_amount: '2900',
    'recurring[interval]': 'month',
  })
  await post(simulator, 'prices', { ...common, unit_amount: '29000', 'recurring[interval]': 'year' })
  await post(simulator, `products/${product}`, { default_price: monthly })
  return product
}

async function post(
  { url, secretKey }: SimulatorAddress,
  path: string,
  form: Record<string, string>,
): Promise<string> {
  const response = await fetch(`${url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(8_000),
  })
  const body = (await response.json()) as { id?: string }
  if (!response.ok || body.id === undefined)
    throw new Error(`the simulator refused ${path}: ${JSON.stringify(body)}`)
  return body.id
}
