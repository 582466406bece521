// The custom products that requests name, as they can be assigned to a customer or taken from one.
import { type Catalogue, latestVersion, type Product } from '../../domain/catalogue/catalogue.ts'
import { invalid, quote } from '../../domain/errors.ts'

export const toAssignment = (product: Product) => ({
  productId: product.productId,
  version: latestVersion(product).version,
})

/** Custom products that can be newly assigned. */
export function getAssignable(catalogue: Catalogue, productKeys: string[], field: string): Product[] {
  return [...new Set(productKeys)].map((productKey) => {
    const product = getCustomProduct(catalogue, productKey, field)
    if (product.archivedAt !== null) {
      throw invalid(`${field}: the product ${quote(productKey)} is archived and cannot be assigned.`)
    }
    return product
  })
}

export function getCustomProduct(catalogue: Catalogue, productKey: string, field: string): Product {
  const product = catalogue.products.get(productKey)
  if (!product) throw invalid(`${field}: there is no product ${quote(productKey)}.`)
  if (product.type !== 'custom') {
    throw invalid(`${field}: ${quote(productKey)} is a provider product; only custom products are assigned.`)
  }
  return product
}
