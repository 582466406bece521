// Brings a linked product to what the payment provider has now.
import type { Product } from '../../domain/catalogue/catalogue.ts'
import { decideArchive } from '../../domain/catalogue/provider-product.ts'
import type { Environment } from '../../domain/environment.ts'
import { ProviderError, type ProviderProduct } from '../../provider/provider.ts'
import {
  admitProductFetch,
  beginProductFetch,
  savePrices,
  setProviderActive,
} from '../../storage/billing/provider-products.ts'
import { updateProduct } from '../../storage/catalogue/products.ts'
import type { Sql } from '../../storage/database.ts'
import type { Services } from '../services.ts'
import { toPrices } from './link-product.ts'

/** Does nothing for a product that is not linked. */
export async function syncProduct(
  services: Services,
  environment: Environment,
  providerProductId: string,
): Promise<void> {
  const { catalogues, database } = services
  const provider = services.providers[environment]
  if (!provider) return
  const generation = await beginProductFetch(database.pool, environment, providerProductId)
  if (generation === undefined) return
  const fetched = await provider.getProduct(providerProductId).catch((error) => {
    if (error instanceof ProviderError && error.kind === 'not_found') return undefined
    throw error
  })
  await catalogues.change(environment, async (sql, catalogue, now) => {
    const product = catalogue.productsByProviderId.get(providerProductId)
    if (product) await saveFetched(sql, product, generation, fetched, now)
  })
}

export async function saveFetched(
  sql: Sql,
  product: Product,
  generation: number,
  fetched: ProviderProduct | undefined,
  now: number,
): Promise<void> {
  const wasActive = await admitProductFetch(sql, product.productId, generation)
  if (wasActive === undefined) return
  await savePrices(sql, product.productId, fetched ? toPrices(fetched) : [], now)
  const { archivedAt, isActive } = decideArchive(product, wasActive, fetched?.isActive ?? false, now)
  await updateProduct(sql, { ...product, name: fetched?.name ?? product.name, archivedAt })
  await setProviderActive(sql, product.productId, isActive)
}
