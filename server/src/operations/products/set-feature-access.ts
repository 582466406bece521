// Replaces the feature access configuration of a product's latest version, for all its holders, at once.

import { getProduct, latestVersion } from '../../domain/catalogue/catalogue.ts'
import { decideEntries, type FeatureAccessItem } from '../../domain/catalogue/product.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { replaceEntries } from '../../storage/catalogue/products.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getEditableProduct, type ProductInCatalogue } from './update-product.ts'

export async function setFeatureAccess(
  { catalogues }: Services,
  { principal }: Context,
  productKey: string,
  items: FeatureAccessItem[],
): Promise<ProductInCatalogue> {
  const { catalogue } = await catalogues.change(principal.environment, async (sql, catalogue, now) => {
    const product = getEditableProduct(catalogue, productKey)
    const current = latestVersion(product)
    const entries = decideEntries(catalogue, items, current)
    await replaceEntries(sql, catalogue, product.productId, current.version, entries)
    await insertAuditEntry(
      sql,
      { principal, now },
      {
        action: 'product.set_feature_access',
        subject: productKey,
        before: current,
        after: { ...current, entries },
      },
    )
  })
  return { catalogue, product: getProduct(catalogue, productKey) }
}
