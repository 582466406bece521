// The catalogue of the demo data: features, products that are assigned, and products at the simulated provider.
import { type DemoProduct, demoFeatures, demoProducts, toFeatureAccess } from '../../domain/demo/company.ts'
import { conflict } from '../../domain/errors.ts'
import type { AccountOwner } from '../../provider/provider.ts'
import { type DemoKind, type DemoRun, noteDemoObject } from '../../storage/demo/demo.ts'
import { type Context, openContext } from '../context.ts'
import { createFeature } from '../features/create-feature.ts'
import { createCustomProduct } from '../products/create-custom-product.ts'
import { linkProduct } from '../products/link-product.ts'
import { setFeatureAccess } from '../products/set-feature-access.ts'
import type { ProductInCatalogue } from '../products/update-product.ts'
import type { Services } from '../services.ts'

export type Maker = { services: Services; context: Context; owner: AccountOwner; run: DemoRun }

/** Under the keys of the demo: nobody else has come yet, so what is there already was made by a start that was cut off. */
export async function makeCatalogue(maker: Maker): Promise<void> {
  const { services, context } = maker
  const { catalogue } = await openContext(services, context.principal)
  for (const input of demoFeatures) {
    const { featureId } =
      catalogue.features.get(input.featureKey) ?? (await createFeature(services, context, input))
    await note(maker, 'feature', featureId)
  }
  for (const input of demoProducts) {
    const known = catalogue.products.get(input.productKey)
    const { product } = known ? { product: known } : await makeProduct(maker, input)
    await note(maker, 'product', product.productId)
    if (product.versions.at(-1)?.entries.length === 0)
      await setFeatureAccess(services, context, input.productKey, toFeatureAccess(input))
  }
}

async function makeProduct(
  { services, context, owner, run }: Maker,
  input: DemoProduct,
): Promise<ProductInCatalogue> {
  const { productKey, name, prices, isDefault = false, isAddOn = false, limitsPerUnit = false } = input
  if (prices.length === 0) {
    const featureAccess = toFeatureAccess(input)
    return createCustomProduct(services, context, { productKey, name, isDefault, featureAccess })
  }
  const { providerProductId } = await owner.createProduct(
    {
      name,
      metadata: { product_key: productKey },
      prices: prices.map((price) => ({ ...price, currency: 'usd' })),
    },
    `demo-${run.runId}-${productKey}`,
  )
  return linkProduct(services, context, { productKey, providerProductId, isAddOn, limitsPerUnit })
}

async function note({ services, context, run }: Maker, kind: DemoKind, objectId: string): Promise<void> {
  const { environment } = context.principal
  const isNoted = await noteDemoObject(services.database.pool, environment, {
    runId: run.runId,
    kind,
    objectId,
  })
  if (!isNoted) throw conflict('demo_removed', 'The demo data was removed while it was made.')
}
