// Lists customers, newest first, each as it is now.
import { missing } from '../../domain/errors.ts'
import { type CustomerPosition, listCustomers as listRows } from '../../storage/customers/customers.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { type CustomerView, findViewByHash } from './read-customer.ts'

type Query = {
  search?: string | undefined
  productKey?: string | undefined
  after: CustomerPosition | undefined
  limit: number
}

/** `next` is the position to go on after; undefined at the end. */
export async function listCustomers(
  services: Services,
  context: Context,
  { search, productKey, after, limit }: Query,
): Promise<{ customers: CustomerView[]; next: CustomerPosition | undefined }> {
  const found = await listRows(services.database.pool, context.principal.environment, {
    search,
    holding: productKey === undefined ? undefined : getHolding(context, productKey),
    after,
    limit: limit + 1,
  })
  const listed = found.slice(0, limit)
  const views = await Promise.all(listed.map((each) => findViewByHash(services, context, each.customerHash)))
  return {
    customers: views.filter((view) => view !== undefined),
    next: found.length > limit ? listed.at(-1) : undefined,
  }
}

function getHolding({ catalogue }: Context, productKey: string) {
  const product = catalogue.products.get(productKey)
  if (!product) throw missing('product', productKey)
  return { product, mainProducts: [...catalogue.products.values()].filter((each) => !each.isAddOn) }
}
