// Links a product of the payment provider.
import { randomUUID } from 'node:crypto'
import { type Catalogue, getProduct } from '../../domain/catalogue/catalogue.ts'
import { conflict, invalid, quote } from '../../domain/errors.ts'
import { ProviderError, type ProviderProduct } from '../../provider/provider.ts'
import { type Acting, insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { savePrices } from '../../storage/billing/provider-products.ts'
import { insertProduct, insertVersion } from '../../storage/catalogue/products.ts'
import type { Sql } from '../../storage/database.ts'
import { getProvider } from '../billing/get-provider.ts'
import { callProvider } from '../billing/provider-call.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import type { ProductInCatalogue } from './update-product.ts'

export async function linkProduct(
  services: Services,
  context: Context,
  { productKey, providerProductId }: { productKey: string; providerProductId: string },
): Promise<ProductInCatalogue> {
  const { principal } = context
  const { environment } = principal
  const provider = getProvider(services, environment)
  checkLinkable(context.catalogue, productKey, providerProductId)
  const fetched = await callProvider(() =>
    getForLink(provider.getProduct(providerProductId), providerProductId),
  )
  const { catalogue } = await services.catalogues.change(environment, async (sql, catalogue, now) => {
    checkLinkable(catalogue, productKey, providerProductId)
    await insertLinked(sql, { principal, now }, productKey, fetched)
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

export async function insertLinked(
  sql: Sql,
  acting: Acting,
  productKey: string,
  fetched: ProviderProduct,
): Promise<void> {
  const { principal, now } = acting
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
  await insertProduct(sql, principal.environment, product)
  await insertVersion(sql, productId, 1, now)
  await savePrices(sql, productId, toPrices(fetched), now)
  await insertAuditEntry(sql, acting, { action: 'product.link', subject: productKey, after: product })
}

export const toPrices = (product: ProviderProduct) =>
  product.prices.map((price) => ({
    ...price,
    isDefault: price.providerPriceId === product.defaultProviderPriceId,
  }))
