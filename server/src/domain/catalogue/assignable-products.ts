// The custom products that a list of keys names, as they can be assigned to a customer or taken from one.
import { invalid, quote } from '../errors.ts'
import { type Catalogue, latestVersion, type Product } from './catalogue.ts'

export const toAssignment = (product: Product) => ({
  productId: product.productId,
  version: latestVersion(product).version,
})

/** Those to assign: naming what is held is no error, even when it has been archived since. */
export function getAssignable(
  catalogue: Catalogue,
  productKeys: readonly string[],
  field: string,
  held: readonly { productId: string }[] = [],
): Product[] {
  const heldIds = new Set(held.map(({ productId }) => productId))
  const named = productKeys.map((productKey, index) => {
    const product = getCustomProduct(catalogue, productKey, `${field}[${index}]`)
    if (product.archivedAt === null || heldIds.has(product.productId)) return product
    throw invalid(`${field}[${index}]: the product ${quote(productKey)} is archived and cannot be assigned.`)
  })
  return [...new Set(named)].filter(({ productId }) => !heldIds.has(productId))
}

export const getCustomProducts = (
  catalogue: Catalogue,
  productKeys: readonly string[],
  field: string,
): Product[] =>
  productKeys.map((productKey, index) => getCustomProduct(catalogue, productKey, `${field}[${index}]`))

function getCustomProduct(catalogue: Catalogue, productKey: string, at: string): Product {
  const product = catalogue.products.get(productKey)
  if (!product) throw invalid(`${at}: there is no product ${quote(productKey)}.`)
  if (product.type !== 'custom') {
    throw invalid(`${at}: ${quote(productKey)} is a provider product; only custom products are assigned.`)
  }
  return product
}
