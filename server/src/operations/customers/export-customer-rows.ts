// The dashboard's list of customers, page after page.
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { type CustomerRowQuery, listCustomerRows, type ShownCustomerRow } from './list-customer-rows.ts'

const pageSize = 500

/** One page is held at a time; the next is read when this one was taken. */
export async function* exportCustomerRows(
  services: Services,
  context: Context,
  query: CustomerRowQuery,
): AsyncGenerator<ShownCustomerRow[]> {
  const read = (after: Parameters<typeof listCustomerRows>[2]['after']) =>
    listCustomerRows(services, context, { ...query, after, limit: pageSize, counts: false })
  for (let page = await read(undefined); ; page = await read(page.next)) {
    yield page.customers
    if (!page.next) return
  }
}
