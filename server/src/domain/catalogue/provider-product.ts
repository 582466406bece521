// Provider products: the key an imported one gets, and when one is archived.
import { catalogueKeyForm, type Product } from './catalogue.ts'

/** The key from the provider product's metadata, else a slug of its name; numbered when it is taken. */
export function computeProductKey(
  product: { name: string; metadata: Record<string, string>; providerProductId: string },
  isTaken: (productKey: string) => boolean,
): string {
  const wanted = product.metadata.product_key
  const base =
    wanted && catalogueKeyForm.test(wanted)
      ? wanted
      : slugOf(product.name) || slugOf(product.providerProductId)
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base.slice(0, 120)}-${number}`
    if (!isTaken(key)) return key
  }
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 120)

/**
 * Made inactive there, a product is archived here; made active again, it comes back. One that was archived here before
 * stays so: `isActive` is what to remember, and the provider's end is remembered only where it did the archiving.
 */
export function decideArchive(
  { archivedAt }: Pick<Product, 'archivedAt'>,
  wasActive: boolean,
  isActive: boolean,
  now: number,
): { archivedAt: number | null; isActive: boolean } {
  if (wasActive === isActive) return { archivedAt, isActive }
  if (isActive) return { archivedAt: null, isActive }
  return archivedAt === null ? { archivedAt: now, isActive } : { archivedAt, isActive: wasActive }
}
