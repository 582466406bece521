// Imports all active products of the payment provider with their prices.
import { computeProductKey } from '../../domain/catalogue/provider-product.ts'
import { eachItem, type Provider, type ProviderProduct } from '../../provider/provider.ts'
import { beginProductFetches } from '../../storage/billing/provider-products.ts'
import { getProvider } from '../billing/get-provider.ts'
import { callProvider } from '../billing/provider-call.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { insertLinked } from './link-product.ts'
import { saveFetched } from './sync-product.ts'
import type { ProductInCatalogue } from './update-product.ts'

const importedAtMost = 1000

/** All active products of the provider, new ones linked, known ones brought up to date. */
export async function importProducts(services: Services, context: Context): Promise<ProductInCatalogue[]> {
  const { catalogues, database } = services
  const { principal } = context
  const { environment } = principal
  const provider = getProvider(services, environment)
  const generations = await beginProductFetches(database.pool, environment)
  const fetched = await listActive(provider)
  const { catalogue } = await catalogues.change(environment, async (sql, catalogue, now) => {
    const keys = new Set(catalogue.products.keys())
    for (const product of fetched) {
      const linked = catalogue.productsByProviderId.get(product.providerProductId)
      if (linked) {
        // One linked while the list was fetched is current already.
        const generation = generations.get(product.providerProductId)
        if (generation !== undefined) await saveFetched(sql, linked, generation, product, now)
        continue
      }
      const productKey = computeProductKey(product, (key) => keys.has(key))
      keys.add(productKey)
      await insertLinked(sql, { principal, now }, productKey, product)
    }
  })
  return fetched.flatMap(({ providerProductId }) => {
    const product = catalogue.productsByProviderId.get(providerProductId)
    return product ? { catalogue, product } : []
  })
}

async function listActive(provider: Provider): Promise<ProviderProduct[]> {
  const list: ProviderProduct[] = []
  const listPage = (cursor?: string) => callProvider(() => provider.listProducts(cursor))
  for await (const product of eachItem(listPage)) if (list.push(product) >= importedAtMost) break
  return list
}
