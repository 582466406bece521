// A catalogue as it would be with another feature access configuration of one product version.
import { buildCatalogue, type Catalogue, type FeatureAccessEntry, type Product } from './catalogue.ts'

export function withEntries(
  catalogue: Catalogue,
  { productId }: Product,
  version: number,
  entries: FeatureAccessEntry[],
): Catalogue {
  const products = [...catalogue.products.values()].map((product) =>
    product.productId === productId
      ? {
          ...product,
          versions: product.versions.map((each) => (each.version === version ? { ...each, entries } : each)),
        }
      : product,
  )
  return buildCatalogue(catalogue, [...catalogue.features.values()], products)
}
