// Updates a product: name, metadata and default of a custom one, whether it is an add-on, whether its limits are per unit.
import { type Catalogue, getProduct, type Product } from '../../domain/catalogue/catalogue.ts'
import { decideProduct, type ProductInput } from '../../domain/catalogue/product.ts'
import { invalid, missing, quote } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { moveDefault, updateProduct as writeProduct } from '../../storage/catalogue/products.ts'
import type { Context } from '../context.ts'
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

export async function updateProduct(
  { catalogues }: Services,
  { principal }: Context,
  productKey: string,
  input: ProductInput,
): Promise<ProductInCatalogue> {
  const { catalogue } = await catalogues.change(principal.environment, async (sql, catalogue, now) => {
    const before = getEditableProduct(catalogue, productKey)
    const after = decideProduct(before, input)
    if (after.isDefault && !before.isDefault) await moveDefault(sql, principal.environment, before.productId)
    await writeProduct(sql, after)
    await insertAuditEntry(
      sql,
      { principal, now },
      { action: 'product.update', subject: productKey, before, after },
    )
  })
  return { catalogue, product: getProduct(catalogue, productKey) }
}
