// Provider products: linking one, importing all, and bringing a linked one to what the provider has now.
import { randomUUID } from 'node:crypto'
import { computeProductKey, decideArchive } from '../../domain/billing/price.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Catalogue, getProduct, type Product } from '../../domain/catalogue/catalogue.ts'
import type { Environment } from '../../domain/environment.ts'
import { conflict, invalid, quote } from '../../domain/errors.ts'
import { eachItem, type Provider, ProviderError, type ProviderProduct } from '../../provider/provider.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import {
  admitProductFetch,
  beginProductFetch,
  beginProductFetches,
  savePrices,
  setProviderActive,
} from '../../storage/billing/provider-products.ts'
import { readClock } from '../../storage/catalogue/clock.ts'
import { insertProduct, insertVersion, updateProduct } from '../../storage/catalogue/products.ts'
import type { Sql } from '../../storage/database.ts'
import { callProvider } from '../billing/provider-call.ts'
import type { Services } from '../services.ts'
import type { ProductInCatalogue } from './change-product.ts'

const importedAtMost = 1000

export async function linkProduct(
  { catalogues, providers }: Services,
  caller: Caller,
  { productKey, providerProductId }: { productKey: string; providerProductId: string },
): Promise<ProductInCatalogue> {
  const { environment } = caller
  const known = await catalogues.get(environment, caller.catalogueRevision)
  checkLinkable(known, productKey, providerProductId)
  const fetched = await callProvider(() =>
    getForLink(providers[environment].getProduct(providerProductId), providerProductId),
  )
  const { catalogue } = await catalogues.change(environment, async (sql, catalogue) => {
    checkLinkable(catalogue, productKey, providerProductId)
    await insertLinked(sql, caller, productKey, fetched)
  })
  return { catalogue, product: getProduct(catalogue, productKey) }
}

function checkLinkable(catalogue: Catalogue, productKey: string, providerProductId: string): void {
  if (catalogue.products.has(productKey)) {
    throw conflict('product_key_taken', `productKey ${quote(productKey)} is taken by another product.`)
  }
  const linked = catalogue.productsByProviderId.get(providerProductId)
  if (linked) {
    throw conflict(
      'provider_product_linked',
      `providerProductId is linked to the product ${quote(linked.productKey)}.`,
    )
  }
}

async function getForLink(
  fetching: Promise<ProviderProduct>,
  providerProductId: string,
): Promise<ProviderProduct> {
  const product = await fetching.catch((error) => {
    if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error
    throw invalid(`providerProductId: the payment provider has no product ${quote(providerProductId)}.`)
  })
  if (product.isActive) return product
  throw invalid(
    `providerProductId: the product ${quote(providerProductId)} is not active at the payment provider.`,
  )
}

/** All active products of the provider, new ones linked, known ones brought up to date. */
export async function importProducts(services: Services, caller: Caller): Promise<ProductInCatalogue[]> {
  const { catalogues, database, providers } = services
  const { environment } = caller
  const generations = await beginProductFetches(database.pool, environment)
  const fetched = await listActive(providers[environment])
  const { catalogue } = await catalogues.change(environment, async (sql, catalogue) => {
    const keys = new Set(catalogue.products.keys())
    for (const product of fetched) {
      const linked = catalogue.productsByProviderId.get(product.providerProductId)
      if (linked) {
        // One linked while the list was fetched is current already.
        const generation = generations.get(product.providerProductId)
        if (generation !== undefined) await saveFetched(sql, linked, generation, product, caller.now)
        continue
      }
      const productKey = computeProductKey(product, (key) => keys.has(key))
      keys.add(productKey)
      await insertLinked(sql, caller, productKey, product)
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

async function insertLinked(
  sql: Sql,
  caller: Caller,
  productKey: string,
  fetched: ProviderProduct,
): Promise<void> {
  const { environment, now } = caller
  const { providerProductId, name } = fetched
  const productId = randomUUID()
  const product = {
    productId,
    productKey,
    name,
    type: 'provider' as const,
    metadata: {},
    providerProductId,
    createdAt: now,
  }
  await insertProduct(sql, environment, product)
  await insertVersion(sql, productId, 1, now)
  await savePrices(sql, productId, toPrices(fetched), now)
  await insertAuditEntry(sql, caller, { action: 'product.link', subject: productKey, after: product })
}

const toPrices = (product: ProviderProduct) =>
  product.prices.map((price) => ({
    ...price,
    isDefault: price.providerPriceId === product.defaultProviderPriceId,
  }))

/** Does nothing for a product that is not linked. */
export async function syncProduct(
  services: Services,
  environment: Environment,
  providerProductId: string,
): Promise<void> {
  const { catalogues, database, providers } = services
  const generation = await beginProductFetch(database.pool, environment, providerProductId)
  if (generation === undefined) return
  const fetched = await providers[environment].getProduct(providerProductId).catch((error) => {
    if (error instanceof ProviderError && error.kind === 'not_found') return undefined
    throw error
  })
  const { now } = await readClock(database.pool, environment)
  await catalogues.change(environment, async (sql, catalogue) => {
    const product = catalogue.productsByProviderId.get(providerProductId)
    if (product) await saveFetched(sql, product, generation, fetched, now)
  })
}

async function saveFetched(
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
