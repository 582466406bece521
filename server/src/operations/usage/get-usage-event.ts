// Finds one usage event by its id, which says where it lies.
import type { Feature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import type { EventName } from '../../domain/ledger/amend.ts'
import type { UsageEvent } from '../../domain/ledger/usage-event.ts'
import { findCustomerName } from '../../storage/customers/customers.ts'
import { readEventId } from '../../storage/ledger/event-id.ts'
import { findEvents } from '../../storage/ledger/events.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export type CustomerEvent = { eventId: string; customerId: string; feature: Feature; event: UsageEvent }

/** Of the other environment, or of a customer that is gone, an id leads nowhere. */
export async function getEventOwner({ database }: Services, { principal }: Context, eventId: string) {
  const place = readEventId(eventId)
  const owner = place && (await findCustomerName(database.pool, principal.environment, place.customerUid))
  if (!place || !owner) throw missing('usage event', eventId)
  const name: EventName = { eventId, ...place }
  return { ...owner, customerUid: place.customerUid, name }
}

export async function getUsageEvent(
  services: Services,
  context: Context,
  eventId: string,
): Promise<CustomerEvent> {
  const { customerUid, customerId, name } = await getEventOwner(services, context, eventId)
  const feature = context.catalogue.featuresByNo.get(name.featureNo)
  const [event] = await findEvents(services.database.pool, [{ customerUid, ...name }])
  // Under an alias lies an event of another number.
  if (!feature?.tracksUsage || event?.eventNo !== name.eventNo || event.deletedAt !== undefined) {
    throw missing('usage event', eventId)
  }
  return { eventId, customerId, feature, event }
}
