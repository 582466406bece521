// Compares what is stored with what the payment provider has: some customers at a time, and with the first of them all products.
import { compareCustomer, compareProduct, type Difference } from '../../domain/billing/difference.ts'
import { decideSubscriptions } from '../../domain/billing/subscription.ts'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { Provider } from '../../provider/provider.ts'
import { type LinkedCustomer, listLinks } from '../../storage/billing/links.ts'
import { getProvider } from '../billing/get-provider.ts'
import { callProvider } from '../billing/provider-call.ts'
import { toFetched } from '../billing/sync-customer.ts'
import type { Context } from '../context.ts'
import { listActive } from '../products/import-products.ts'
import { toPrices } from '../products/link-product.ts'
import type { Services } from '../services.ts'

export type Comparison = {
  differences: Difference[]
  /** How many customers were looked at. */
  customers: number
  /** The uid to go on after; undefined at the end. */
  next: string | undefined
}

const customersAtMost = 50
const customersAtOnce = 5
// After this no more are begun: the calls under way still end before the request is cut.
const beginsWithinMs = 4_000
const differencesAtMost = 500

/** `after` is where the part before ended; without it products are compared, too. Nothing is changed here or there. */
export async function compareProvider(
  services: Services,
  context: Context,
  after: string | undefined,
): Promise<Comparison> {
  const { environment } = context.principal
  const provider = getProvider(services, environment)
  const endsAt = performance.now() + beginsWithinMs
  const differences =
    after === undefined ? await callProvider(() => compareProducts(provider, context.catalogue)) : []
  const links = await listLinks(services.database.pool, environment, after, customersAtMost + 1)
  const page = links.slice(0, customersAtMost)
  let done = 0
  while (done < page.length && performance.now() < endsAt && differences.length < differencesAtMost) {
    const some = page.slice(done, done + customersAtOnce)
    const found = await callProvider(() =>
      Promise.all(some.map((link) => compareOne(services, context, provider, link))),
    )
    differences.push(...found.flat())
    done += some.length
  }
  const isEnd = done === links.length
  return { differences, customers: done, next: isEnd ? undefined : (page[done - 1]?.customerUid ?? after) }
}

async function compareOne(
  services: Services,
  { catalogue }: Context,
  provider: Provider,
  { customerHash, customerId: id, providerCustomerId }: LinkedCustomer,
): Promise<Difference[]> {
  const kind = 'customer'
  if (providerCustomerId === undefined) return [{ kind, id, text: 'The provider was not told of it yet.' }]
  const theirs = await provider.getCustomerState(providerCustomerId)
  const state = await services.states.load(customerHash)
  if (!state) return []
  if (theirs.presence === 'deleted') return [{ kind, id, text: 'It was deleted at the provider.' }]
  if (theirs.presence === 'unknown') return [{ kind, id, text: 'The provider does not know it.' }]
  const fetched = theirs.subscriptions.map(toFetched)
  const subscriptions = decideSubscriptions(catalogue, state.subscriptions, fetched)
  return compareCustomer(state, { ...theirs, subscriptions })
}

/** Linked ones with what they are there, and active ones there that are not linked. */
async function compareProducts(provider: Provider, catalogue: Catalogue): Promise<Difference[]> {
  const active = await listActive(provider, async () => {})
  const byId = new Map(active.map((product) => [product.providerProductId, product]))
  const linked = [...catalogue.productsByProviderId].flatMap(([providerProductId, product]) => {
    const theirs = byId.get(providerProductId)
    return compareProduct(product, theirs && { name: theirs.name, prices: toPrices(theirs) })
  })
  const unlinked = active
    .filter(({ providerProductId }) => !catalogue.productsByProviderId.has(providerProductId))
    .map(({ providerProductId: id, name }) => ({
      kind: 'product' as const,
      id,
      text: `${name} is not linked here.`,
    }))
  return [...linked, ...unlinked].slice(0, differencesAtMost)
}
