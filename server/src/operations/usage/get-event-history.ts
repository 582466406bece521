// What the log says of one usage event.
import { listSubjectEntries } from '../../storage/statistics/customer-history.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getEventOwner } from './get-usage-event.ts'

const entriesAtMost = 100

/** Newest first; also of an event that was deleted. */
export async function getEventHistory(services: Services, context: Context, eventId: string) {
  await getEventOwner(services, context, eventId)
  return listSubjectEntries(services.database.pool, context.principal.environment, eventId, entriesAtMost)
}
