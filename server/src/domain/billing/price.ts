// Which of a product's prices a checkout uses.
import type { Price, Product } from '../catalogue/catalogue.ts'
import { invalid, quote } from '../errors.ts'

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
