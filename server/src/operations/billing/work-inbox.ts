// Works off the inbox of provider events: whatever an event says, the current state of its subject is fetched.
import {
  claimProviderEvents,
  finishProviderEvents,
  type InboxEvent,
  postponeProviderEvents,
} from '../../storage/billing/provider-events.ts'
import { syncProduct } from '../products/sync-product.ts'
import type { Services } from '../services.ts'
import { listProvided } from './get-provider.ts'
import { computeRetryDelayMs } from './retry-delay.ts'
import { syncCustomer } from './sync-customer.ts'

const leaseMs = 30_000
// Few enough to be fetched all at once: a silent provider holds up no more than these, and for one call only.
const eventsAtOnce = 16

/** Says how many events it took; several about one subject need one fetch. */
export async function workInbox(services: Services): Promise<number> {
  const now = Date.now()
  const events = await claimProviderEvents(services.database.pool, {
    environments: listProvided(services),
    now,
    leaseEndsAt: now + leaseMs,
    limit: eventsAtOnce,
  })
  const groups = Map.groupBy(
    events,
    (event) => `${event.environment}/${event.subjectKind}/${event.subjectId}`,
  )
  await Promise.all([...groups.values()].map((group) => workGroup(services, group)))
  return events.length
}

async function workGroup(services: Services, group: InboxEvent[]): Promise<void> {
  const { pool } = services.database
  const { environment, subjectKind, subjectId } = group[0] as InboxEvent
  const eventIds = group.map((event) => event.eventId)
  try {
    if (subjectKind === 'customer') await syncCustomer(services, environment, subjectId)
    else await syncProduct(services, environment, subjectId)
    await finishProviderEvents(pool, environment, eventIds, Date.now())
  } catch (error) {
    const attempts = Math.max(...group.map((event) => event.attempts))
    const dueAt = Date.now() + computeRetryDelayMs(attempts)
    await postponeProviderEvents(pool, environment, eventIds, dueAt, (error as Error).message.slice(0, 500))
  }
}
