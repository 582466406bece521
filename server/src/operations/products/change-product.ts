// Changes a product: name, metadata and default, its archive, or a new version as a copy of the latest.
import type { Caller } from '../../domain/caller.ts'
import { type Catalogue, getProduct, latestVersion, type Product } from '../../domain/catalogue/catalogue.ts'
import { invalid, missing, quote } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import {
  insertVersion,
  moveDefault,
  replaceEntries,
  updateProduct as writeProduct,
} from '../../storage/catalogue/products.ts'
import type { Services } from '../services.ts'

/** A product as it is after a change, with the catalogue it stands in. */
export type ProductInCatalogue = { catalogue: Catalogue; product: Product }

/** A product that exists but is archived cannot be edited. */
export function getEditableProduct(catalogue: Catalogue, productKey: string): Product {
  const product = catalogue.products.get(productKey)
  if (!product) throw missing('product', productKey)
  if (product.archivedAt !== null) {
    throw invalid(
      `The product ${quote(productKey)} is archived; unarchive it to edit it.`,
      'product_archived',
    )
  }
  return product
}

type ProductInput = {
  name?: string | undefined
  metadata?: Record<string, string> | undefined
  isDefault?: boolean | undefined
}

export async function updateProduct(
  { catalogues }: Services,
  caller: Caller,
  productKey: string,
  input: ProductInput,
): Promise<ProductInCatalogue> {
  const { catalogue } = await catalogues.change(caller.environment, async (sql, catalogue) => {
    const before = getEditableProduct(catalogue, productKey)
    if (before.type === 'provider') {
      if (input.metadata !== undefined) throw invalid('metadata can be set on custom products only.')
      if (input.isDefault !== undefined) throw invalid('isDefault can be set on custom products only.')
    }
    const after = {
      ...before,
      name: input.name ?? before.name,
      metadata: input.metadata ?? before.metadata,
      isDefault: input.isDefault ?? before.isDefault,
    }
    if (after.isDefault && !before.isDefault) await moveDefault(sql, caller.environment, before.productId)
    await writeProduct(sql, after)
    await insertAuditEntry(sql, caller, { action: 'product.update', subject: productKey, before, after })
  })
  return { catalogue, product: getProduct(catalogue, productKey) }
}

/** Concerns all versions: holders keep it, nobody new gets it. Unarchiving gives back all but the default. */
export async function archiveProduct(
  { catalogues }: Services,
  caller: Caller,
  productKey: string,
  archived: boolean,
): Promise<ProductInCatalogue> {
  const { result: product, catalogue } = await catalogues.change(
    caller.environment,
    async (sql, catalogue) => {
      const before = catalogue.products.get(productKey)
      if (!before) throw missing('product', productKey)
      const archivedAt = archived ? (before.archivedAt ?? caller.now) : null
      const after = { ...before, archivedAt, isDefault: before.isDefault && !archived }
      await writeProduct(sql, after)
      const action = archived ? 'product.archive' : 'product.unarchive'
      await insertAuditEntry(sql, caller, { action, subject: productKey, before, after })
      return after
    },
  )
  return { catalogue, product }
}

export async function createProductVersion(
  { catalogues }: Services,
  caller: Caller,
  productKey: string,
): Promise<ProductInCatalogue> {
  const { catalogue } = await catalogues.change(caller.environment, async (sql, catalogue) => {
    const product = getEditableProduct(catalogue, productKey)
    const { version, entries } = latestVersion(product)
    await insertVersion(sql, product.productId, version + 1, caller.now)
    await replaceEntries(sql, catalogue, product.productId, version + 1, entries)
    await insertAuditEntry(sql, caller, {
      action: 'product.create_version',
      subject: productKey,
      after: { version: version + 1, entries },
    })
  })
  return { catalogue, product: getProduct(catalogue, productKey) }
}
