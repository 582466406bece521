// The ledger over all customers, page after page.
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { type EventFilter, type ListedEvent, listEvents } from './list-events.ts'

const pageSize = 500

/** One page is held at a time; the next is read when this one was taken. */
export async function* exportEvents(
  services: Services,
  context: Context,
  filter: EventFilter,
): AsyncGenerator<ListedEvent[]> {
  let page = await listEvents(services, context, { ...filter, before: undefined, limit: pageSize })
  for (;;) {
    yield page.events
    if (!page.next) return
    page = await listEvents(services, context, { ...filter, before: page.next, limit: pageSize })
  }
}
