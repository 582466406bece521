// Deletes a custom product that was never assigned and never the default; any other is archived instead.
import { conflict, missing, quote } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { deleteNeverHeld } from '../../storage/catalogue/products.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export async function deleteProduct(
  { catalogues }: Services,
  { principal }: Context,
  productKey: string,
): Promise<void> {
  const { environment } = principal
  await catalogues.change(environment, async (sql, catalogue, now) => {
    const before = catalogue.products.get(productKey)
    if (!before) throw missing('product', productKey)
    if (before.type !== 'custom') {
      throw conflict(
        'product_not_deletable',
        `The product ${quote(productKey)} is the payment provider’s; archive it instead.`,
      )
    }
    if (!(await deleteNeverHeld(sql, environment, before.productId))) {
      throw conflict(
        'product_not_deletable',
        `The product ${quote(productKey)} was assigned or the default once; archive it instead.`,
      )
    }
    const entry = { action: 'product.delete', subject: productKey, before }
    await insertAuditEntry(sql, { principal, now }, entry)
  })
}
