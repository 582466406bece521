// Archives or unarchives a product.
import { missing } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { updateProduct as writeProduct } from '../../storage/catalogue/products.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import type { ProductInCatalogue } from './update-product.ts'

/** Concerns all versions: holders keep it, nobody new gets it. Unarchiving gives back all but the default. */
export async function archiveProduct(
  { catalogues }: Services,
  { principal }: Context,
  productKey: string,
  archived: boolean,
): Promise<ProductInCatalogue> {
  const { result: product, catalogue } = await catalogues.change(
    principal.environment,
    async (sql, catalogue, now) => {
      const before = catalogue.products.get(productKey)
      if (!before) throw missing('product', productKey)
      const archivedAt = archived ? (before.archivedAt ?? now) : null
      const after = { ...before, archivedAt, isDefault: before.isDefault && !archived }
      await writeProduct(sql, after)
      const action = archived ? 'product.archive' : 'product.unarchive'
      await insertAuditEntry(sql, { principal, now }, { action, subject: productKey, before, after })
      return after
    },
  )
  return { catalogue, product }
}
