// The events of the payment provider as they arrived, newest first.
import { type InboxFilter, type ListedInboxEvent, listInboxEvents } from '../../storage/billing/inbox.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export async function listProviderEvents(
  { database }: Services,
  { principal }: Context,
  filter: InboxFilter,
): Promise<{ events: ListedInboxEvent[]; next: InboxFilter['after'] }> {
  const wanted = { ...filter, limit: filter.limit + 1 }
  const found = await listInboxEvents(database.pool, principal.environment, wanted)
  const events = found.slice(0, filter.limit)
  return { events, next: found.length > filter.limit ? events.at(-1) : undefined }
}
