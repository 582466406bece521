// Creates a custom product, with its feature access and as the default if asked.
import { randomUUID } from 'node:crypto'
import { getProduct } from '../../domain/catalogue/catalogue.ts'
import { decideEntries, type FeatureAccessItem } from '../../domain/catalogue/product.ts'
import { conflict, quote } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import {
  insertProduct,
  insertVersion,
  moveDefault,
  replaceEntries,
} from '../../storage/catalogue/products.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import type { ProductInCatalogue } from './update-product.ts'

type Input = {
  productKey: string
  name: string
  metadata?: Record<string, string> | undefined
  isDefault?: boolean | undefined
  featureAccess?: FeatureAccessItem[] | undefined
}

export async function createCustomProduct(
  { catalogues }: Services,
  { principal }: Context,
  input: Input,
): Promise<ProductInCatalogue> {
  const { environment } = principal
  const { catalogue } = await catalogues.change(environment, async (sql, catalogue, now) => {
    if (catalogue.products.has(input.productKey)) {
      throw conflict(
        'product_key_taken',
        `productKey ${quote(input.productKey)} is taken by another product.`,
      )
    }
    const entries = decideEntries(catalogue, input.featureAccess ?? [])
    const product = {
      productId: randomUUID(),
      productKey: input.productKey,
      name: input.name,
      type: 'custom' as const,
      metadata: input.metadata ?? {},
      providerProductId: null,
      createdAt: now,
    }
    await insertProduct(sql, environment, product)
    await insertVersion(sql, product.productId, 1, now)
    await replaceEntries(sql, catalogue, product.productId, 1, entries)
    if (input.isDefault) await moveDefault(sql, environment, product.productId)
    const after = { ...product, isDefault: input.isDefault ?? false, entries }
    await insertAuditEntry(
      sql,
      { principal, now },
      { action: 'product.create', subject: input.productKey, after },
    )
  })
  return { catalogue, product: getProduct(catalogue, input.productKey) }
}
