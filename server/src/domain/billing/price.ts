// Which of a product's prices a checkout uses.
import type { Price, Product } from '../catalogue/catalogue.ts'
import { invalid, quote } from '../errors.ts'

/** Among recurring ones: the override, else the default, else the only active one. */
export function decidePrice(product: Product, providerPriceId: string | undefined): Price {
  const name = quote(product.productKey)
  if (providerPriceId !== undefined) {
    const price = product.prices.find((each) => each.providerPriceId === providerPriceId)
    if (price) return checkOverride(price)
    throw invalid(`providerPriceId: ${quote(providerPriceId)} is not a price of the product ${name}.`)
  }
  const active = product.prices.filter((price) => price.isActive)
  if (active.length === 0) throw invalid(`productKey: the product ${name} has no active price.`)
  const recurring = active.filter((price) => price.recurringInterval !== null)
  const standard = recurring.find((price) => price.isDefault)
  if (standard) return standard
  const [only] = recurring
  if (!only) {
    throw invalid(
      `productKey: the product ${name} has only one-time prices; a checkout needs a recurring one.`,
    )
  }
  if (recurring.length === 1) return only
  throw invalid(`providerPriceId is required: the product ${name} has several prices and no default.`)
}

function checkOverride(price: Price): Price {
  if (!price.isActive) throw invalid('providerPriceId: the price is not active.')
  if (price.recurringInterval === null)
    throw invalid('providerPriceId: the price is a one-time price; a checkout needs a recurring one.')
  return price
}

/** What is paid by use has no quantity. */
export function checkQuantity({ isMetered }: Price, quantity: number | undefined): void {
  if (!isMetered || quantity === undefined) return
  throw invalid('quantity cannot be given: the price is metered, and paid by what is used.')
}
