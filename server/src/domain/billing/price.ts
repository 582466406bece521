// Linking provider products: the key an imported one gets, and which of its prices a checkout uses.
import { catalogueKeyForm, type Price, type Product } from '../catalogue/catalogue.ts'
import { invalid, quote } from '../errors.ts'

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

/** The override, else the default, else the only active one; it must be active and recurring. */
export function decidePrice(product: Product, providerPriceId: string | undefined): Price {
  if (providerPriceId !== undefined) {
    const price = product.prices.find((each) => each.providerPriceId === providerPriceId)
    if (!price) {
      throw invalid(
        `providerPriceId: ${quote(providerPriceId)} is not a price of the product ${quote(product.productKey)}.`,
      )
    }
    return checkPrice(price, 'providerPriceId: the price')
  }
  const standard = product.prices.find((price) => price.isDefault && price.isActive)
  if (standard) return checkPrice(standard, 'productKey: the default price of the product')
  const active = product.prices.filter((price) => price.isActive)
  const [only] = active
  if (!only) throw invalid(`productKey: the product ${quote(product.productKey)} has no active price.`)
  if (active.length > 1) {
    throw invalid(
      `providerPriceId is required: the product ${quote(product.productKey)} has several prices and no default.`,
    )
  }
  return checkPrice(only, 'productKey: the price of the product')
}

function checkPrice(price: Price, what: string): Price {
  if (!price.isActive) throw invalid(`${what} is not active.`)
  if (price.recurringInterval === null)
    throw invalid(`${what} is a one-time price; a checkout needs a recurring one.`)
  return price
}
