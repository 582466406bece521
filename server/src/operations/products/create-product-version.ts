// Makes a new version of a product, as a copy of the latest.
import { getProduct, latestVersion } from '../../domain/catalogue/catalogue.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { insertVersion, replaceEntries } from '../../storage/catalogue/products.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getEditableProduct, type ProductInCatalogue } from './update-product.ts'

export async function createProductVersion(
  { catalogues }: Services,
  { principal }: Context,
  productKey: string,
): Promise<ProductInCatalogue> {
  const { catalogue } = await catalogues.change(principal.environment, async (sql, catalogue, now) => {
    const product = getEditableProduct(catalogue, productKey)
    const { version, entries } = latestVersion(product)
    await insertVersion(sql, product.productId, version + 1, now)
    await replaceEntries(sql, catalogue, product.productId, version + 1, entries)
    await insertAuditEntry(
      sql,
      { principal, now },
      {
        action: 'product.create_version',
        subject: productKey,
        after: { version: version + 1, entries },
      },
    )
  })
  return { catalogue, product: getProduct(catalogue, productKey) }
}
