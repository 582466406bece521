// Removes the demo data: its customers, then all of its catalogue that nobody else has come to use; what others made is left alone.
import type { Catalogue, Feature, Product } from '../../domain/catalogue/catalogue.ts'
import { missing, RequestError } from '../../domain/errors.ts'
import { ProviderError } from '../../provider/provider.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { deleteFeatureRow } from '../../storage/catalogue/features.ts'
import { insertFeaturePurge } from '../../storage/customers/purges.ts'
import type { Sql } from '../../storage/database.ts'
import {
  type DemoKind,
  endDemo,
  findDemo,
  forgetDemoObjects,
  listDemoCustomers,
  listDemoObjects,
} from '../../storage/demo/demo.ts'
import {
  awaitWrites,
  deleteProductRows,
  listHeldProducts,
  listUsedFeatures,
} from '../../storage/demo/in-use.ts'
import { callProvider } from '../billing/provider-call.ts'
import type { Context } from '../context.ts'
import { deleteCustomer } from '../customers/delete-customer.ts'
import type { Services } from '../services.ts'

export type DemoRemoval = {
  removed: { customers: number; products: number; features: number }
  /** What somebody uses: it stays, and is no longer the demo's. */
  kept: { kind: 'product' | 'feature'; key: string }[]
}

/** Can be repeated: one that was cut off is finished by the next. */
export async function removeDemo(services: Services, context: Context): Promise<DemoRemoval> {
  const { pool } = services.database
  const { environment } = context.principal
  if (!(await findDemo(pool, environment))) throw missing('demo data', environment)
  await endDemo(pool, environment, Date.now())
  const customers = await removeCustomers(services, context)
  const { products, features, kept, archived } = await removeCatalogue(services, context)
  const owner = services.accountOwners[environment]
  for (const providerProductId of archived)
    if (owner) await callProvider(() => owner.archiveProduct(providerProductId))
  services.wakeWorker()
  return { removed: { customers, products, features }, kept }
}

async function removeCustomers(services: Services, context: Context): Promise<number> {
  const { pool } = services.database
  const { environment } = context.principal
  const owner = services.accountOwners[environment]
  const customers = await listDemoCustomers(pool, environment)
  for (const { customerUid, customerId, providerCustomerId } of customers) {
    // Here first: what the provider then says of it concerns nobody.
    await deleteCustomer(services, context, customerId, customerUid).catch((error) => {
      if (!(error instanceof RequestError) || error.kind !== 'missing') throw error
    })
    if (owner && providerCustomerId !== undefined)
      await owner.deleteCustomer(providerCustomerId).catch((error) => {
        if (!(error instanceof ProviderError)) throw error
      })
  }
  await forgetDemoObjects(pool, environment, 'customer', await listDemoObjects(pool, environment, 'customer'))
  return customers.length
}

type RemovedCatalogue = {
  products: number
  features: number
  kept: DemoRemoval['kept']
  /** Their products at the provider, which are archived there. */
  archived: string[]
}

/** In one change: nobody gets a product or uses a feature between the look and the deletion. */
async function removeCatalogue(services: Services, context: Context): Promise<RemovedCatalogue> {
  const { environment } = context.principal
  const { result } = await services.catalogues.change(environment, async (sql, catalogue, now) => {
    await awaitWrites(sql, environment)
    const acting = { principal: context.principal, now }
    const products = await listOwn(sql, 'product', catalogue, [...catalogue.products.values()])
    const held = new Set(await listHeldProducts(sql, environment, products.map(toProductId)))
    const goingProducts = products.filter((product) => !held.has(product.productId))
    for (const before of goingProducts) {
      await deleteProductRows(sql, before.productId)
      await insertAuditEntry(sql, acting, { action: 'product.delete', subject: before.productKey, before })
    }
    const features = await listOwn(sql, 'feature', catalogue, [...catalogue.features.values()])
    const used = new Set(await listUsedFeatures(sql, environment, features.map(toFeatureId)))
    const goingFeatures = features.filter((feature) => !used.has(feature.featureId))
    for (const before of goingFeatures) {
      await deleteFeatureRow(sql, before.featureId)
      await insertFeaturePurge(sql, before.featureNo)
      await insertAuditEntry(sql, acting, { action: 'feature.delete', subject: before.featureKey, before })
    }
    await forgetDemoObjects(sql, environment, 'product', await listDemoObjects(sql, environment, 'product'))
    await forgetDemoObjects(sql, environment, 'feature', await listDemoObjects(sql, environment, 'feature'))
    return {
      products: goingProducts.length,
      features: goingFeatures.length,
      archived: goingProducts.flatMap(({ providerProductId }) => providerProductId ?? []),
      kept: [
        ...products
          .filter(({ productId }) => held.has(productId))
          .map(({ productKey: key }) => ({ kind: 'product' as const, key })),
        ...features
          .filter(({ featureId }) => used.has(featureId))
          .map(({ featureKey: key }) => ({ kind: 'feature' as const, key })),
      ],
    }
  })
  return result
}

const toProductId = ({ productId }: Product) => productId
const toFeatureId = ({ featureId }: Feature) => featureId

async function listOwn<T extends Product | Feature>(
  sql: Sql,
  kind: DemoKind,
  { environment }: Catalogue,
  list: T[],
): Promise<T[]> {
  const own = new Set(await listDemoObjects(sql, environment, kind))
  return list.filter((each) => own.has('productId' in each ? each.productId : each.featureId))
}
