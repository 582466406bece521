// Imports all active products of the payment provider with their prices, however many: in the request if that is quick, else by
// itself after it.
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { computeProductKey } from '../../domain/catalogue/provider-product.ts'
import { type Principal, servicePrincipal } from '../../domain/principal.ts'
import {
  eachItem,
  type ListedProduct,
  type Provider,
  type ProviderPrice,
  type ProviderProduct,
} from '../../provider/provider.ts'
import {
  claimCatalogueImports,
  finishCatalogueImport,
  holdCatalogueImport,
  postponeCatalogueImport,
} from '../../storage/billing/catalogue-imports.ts'
import { beginProductFetches } from '../../storage/billing/provider-products.ts'
import { getProvider, listProvided } from '../billing/get-provider.ts'
import { callProvider } from '../billing/provider-call.ts'
import { computeRetryDelayMs } from '../billing/retry-delay.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { insertLinked } from './link-product.ts'
import { saveFetched } from './sync-product.ts'
import type { ProductInCatalogue } from './update-product.ts'

const answerWithinMs = 8_000
const leaseMs = 60_000
const attemptsAtMost = 20
/** One transaction is short enough for whoever waits for the catalogue. */
const savedAtOnce = 100

/** The imported products; undefined when it takes longer than a caller waits, and goes on by itself. */
export async function importProducts(
  services: Services,
  { principal }: Context,
): Promise<ProductInCatalogue[] | undefined> {
  const { pool } = services.database
  const { environment } = principal
  getProvider(services, environment)
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), answerWithinMs)
  const importing = importCatalogue(services, principal)
  try {
    return await Promise.race([importing, late.promise])
  } catch (error) {
    // Whoever asked is told, and asks again.
    await finishCatalogueImport(pool, environment)
    throw error
  } finally {
    clearTimeout(timer)
    importing.catch(() =>
      postponeCatalogueImport(pool, environment, Date.now() + computeRetryDelayMs(1)).catch(() => {}),
    )
  }
}

/** Goes on with imports whose process died or whose provider failed; says how many. */
export async function resumeImports(services: Services): Promise<number> {
  const { pool } = services.database
  const now = Date.now()
  const claimed = await claimCatalogueImports(pool, listProvided(services), now, now + leaseMs)
  for (const { environment, attempts } of claimed) {
    await importCatalogue(services, servicePrincipal(environment, 'provider')).catch((error) =>
      attempts < attemptsAtMost
        ? postponeCatalogueImport(pool, environment, Date.now() + computeRetryDelayMs(attempts))
        : finishCatalogueImport(pool, environment).then(() => Promise.reject(error)),
    )
  }
  return claimed.length
}

/** New ones are linked, known ones brought up to date. All is fetched before anything is saved. */
async function importCatalogue(services: Services, principal: Principal): Promise<ProductInCatalogue[]> {
  const { database } = services
  const { environment } = principal
  const hold = () => holdCatalogueImport(database.pool, environment, Date.now() + leaseMs)
  await hold()
  const generations = await beginProductFetches(database.pool, environment)
  const fetched = await listActive(getProvider(services, environment), hold)
  let catalogue: Catalogue | undefined
  for (let at = 0; at < fetched.length; at += savedAtOnce) {
    catalogue = await saveSome(services, principal, fetched.slice(at, at + savedAtOnce), generations)
    await hold()
  }
  await finishCatalogueImport(database.pool, environment)
  return fetched.flatMap(({ providerProductId }) => {
    const product = catalogue?.productsByProviderId.get(providerProductId)
    return catalogue && product ? { catalogue, product } : []
  })
}

async function saveSome(
  { catalogues }: Services,
  principal: Principal,
  fetched: readonly ProviderProduct[],
  generations: ReadonlyMap<string, number>,
): Promise<Catalogue> {
  const { catalogue } = await catalogues.change(principal.environment, async (sql, before, now) => {
    const keys = new Set(before.products.keys())
    for (const product of fetched) {
      const linked = before.productsByProviderId.get(product.providerProductId)
      if (linked) {
        // One linked while the list was fetched is current already.
        const generation = generations.get(product.providerProductId)
        if (generation !== undefined) await saveFetched(sql, linked, generation, product, now)
        continue
      }
      const productKey = computeProductKey(product, (key) => keys.has(key))
      keys.add(productKey)
      await insertLinked(sql, { principal, now }, productKey, product)
    }
  })
  return catalogue
}

/** From two lists, a hundred at a time: asking product by product would take a call for each. `onPage` after each page. */
export async function listActive(
  provider: Provider,
  onPage: () => Promise<void>,
): Promise<ProviderProduct[]> {
  const paged =
    <T>(list: (cursor?: string) => Promise<T>) =>
    async (cursor?: string) => {
      const page = await callProvider(() => list(cursor))
      await onPage()
      return page
    }
  // Products first: whatever price one of them has by then is in the second list.
  const products: ListedProduct[] = []
  for await (const product of eachItem(paged(provider.listProducts))) products.push(product)
  const prices: ProviderPrice[] = []
  for await (const price of eachItem(paged(provider.listPrices))) prices.push(price)
  const byProduct = Map.groupBy(prices, (price) => price.providerProductId)
  return products.map((product) => ({ ...product, prices: byProduct.get(product.providerProductId) ?? [] }))
}
