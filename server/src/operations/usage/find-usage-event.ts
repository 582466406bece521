// Finds usage events: one by its id, or a customer's by time.
import type { Caller } from '../../domain/caller.ts'
import { type Catalogue, type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import type { UsageEvent } from '../../domain/ledger/usage-event.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import { findCustomerIds } from '../../storage/customers/customers.ts'
import { readEventId, writeEventId } from '../../storage/ledger/event-id.ts'
import { type EventPosition, findEvents, listEvents } from '../../storage/ledger/events.ts'
import type { Services } from '../services.ts'

export type CustomerEvent = { eventId: string; customerId: string; feature: Feature; event: UsageEvent }

/** An id names its customer and feature; of the other environment, or of a deleted one, it leads nowhere. */
export async function getEventSubject({ catalogues, database }: Services, caller: Caller, eventId: string) {
  const catalogue = await catalogues.get(caller.environment, caller.catalogueRevision)
  const place = readEventId(eventId)
  const feature = place && catalogue.featuresByNo.get(place.featureNo)
  const customerId =
    place && (await findCustomerIds(database.pool, caller.environment, [place.customerUid]))[0]
  if (!feature || customerId === undefined) throw missing('usage event', eventId)
  const { customerUid: uid, keyHash, eventNo } = place
  return { customerUid: uid, customerId, catalogue, feature, now: caller.now, keyHash, eventNo }
}

export async function getUsageEvent(
  services: Services,
  caller: Caller,
  eventId: string,
): Promise<CustomerEvent> {
  const subject = await getEventSubject(services, caller, eventId)
  const { customerUid: uid, customerId, feature, keyHash, eventNo } = subject
  const found = await findEvents(services.database.pool, [
    { customerUid: uid, featureNo: feature.featureNo, keyHash },
  ])
  const event = [...found.values()][0]
  // Under an alias lies an event of another number, as under the same key of a customer made anew.
  if (event?.eventNo !== eventNo || event.deletedAt !== undefined || !feature.tracksUsage) {
    throw missing('usage event', eventId)
  }
  return { eventId, customerId, feature, event }
}

type Query = {
  customerId: string
  featureKey?: string | undefined
  from?: number | undefined
  to?: number | undefined
  before: EventPosition | undefined
  limit: number
}

export async function listUsage(services: Services, caller: Caller, query: Query): Promise<CustomerEvent[]> {
  const { customerId, featureKey, from, to, before, limit } = query
  const catalogue = await services.catalogues.get(caller.environment, caller.catalogueRevision)
  const features =
    featureKey === undefined ? [...catalogue.features.values()] : [getFeature(catalogue, featureKey)]
  const featureNos = features.filter((feature) => feature.tracksUsage).map((feature) => feature.featureNo)
  const uid = customerUid(caller.environment, customerId)
  const [known] = await findCustomerIds(services.database.pool, caller.environment, [uid])
  if (known === undefined) throw missing('customer', customerId)
  const events = await listEvents(services.database.pool, uid, { featureNos, from, to, before, limit })
  return events.map((event) => toCustomerEvent(catalogue, uid, customerId, event))
}

const toCustomerEvent = (
  catalogue: Catalogue,
  uid: string,
  customerId: string,
  event: UsageEvent,
): CustomerEvent => ({
  eventId: writeEventId(event.eventNo, { customerUid: uid, ...event }),
  customerId,
  feature: catalogue.featuresByNo.get(event.featureNo) as Feature,
  event,
})
