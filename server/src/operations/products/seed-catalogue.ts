// A catalogue small enough for the first minutes: three features, a free default product, and Pro at the simulated provider.
import { servicePrincipal } from '../../domain/principal.ts'
import { openContext } from '../context.ts'
import { createFeature } from '../features/create-feature.ts'
import type { Services } from '../services.ts'
import { createCustomProduct } from './create-custom-product.ts'
import { linkProduct } from './link-product.ts'
import { setFeatureAccess } from './set-feature-access.ts'

/** False when the test environment has something in it already. `createProviderProduct` makes Pro at the provider. */
export async function seedCatalogue(
  services: Services,
  createProviderProduct: () => Promise<string>,
): Promise<boolean> {
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
  const providerProductId = await createProviderProduct()
  await linkProduct(services, context, { productKey: 'pro', providerProductId })
  await setFeatureAccess(services, context, 'pro', [
    { featureKey: 'api_calls', hasAccess: true, limit: 100_000 },
    { featureKey: 'seats', hasAccess: true, limit: 20 },
    { featureKey: 'sso', hasAccess: true },
  ])
  return true
}
