// Lists a customer's usage events by time.
import { type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { invalid, missing } from '../../domain/errors.ts'
import { checkRange, type UsageEvent } from '../../domain/ledger/usage-event.ts'
import { hashToUuid } from '../../storage/customers/customer-uid.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import { writeEventId } from '../../storage/ledger/event-id.ts'
import {
  type EventPosition,
  findEvents,
  isListed,
  type ListOptions,
  listEvents,
} from '../../storage/ledger/events.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'
import type { CustomerEvent } from './get-usage-event.ts'

type Query = {
  customerId: string
  featureKey?: string | undefined
  /** Unique within a feature only, so it goes with one. */
  eventKey?: string | undefined
  from?: number | undefined
  to?: number | undefined
  before: EventPosition | undefined
  limit: number
}

export async function listUsage(
  services: Services,
  context: Context,
  query: Query,
): Promise<CustomerEvent[]> {
  const { catalogue } = context
  const { customerId, featureKey, eventKey, ...range } = query
  if (eventKey !== undefined && featureKey === undefined) {
    throw invalid('featureKey is required with eventKey: a key is unique within a feature.', 'missing_field')
  }
  checkRange(query.from, query.to)
  const features =
    featureKey === undefined ? [...catalogue.features.values()] : [getFeature(catalogue, featureKey)]
  const featureNos = features.filter((feature) => feature.tracksUsage).map((feature) => feature.featureNo)
  const uid = await findCustomerUid(services.database.pool, toCustomerHash(context, customerId))
  if (uid === undefined) throw missing('customer', customerId)
  const { from, to, before, limit } = range
  const options = { featureNos, from, to, before, limit }
  const events =
    eventKey === undefined
      ? await listEvents(services.database.pool, uid, options)
      : await findByKey(services, uid, eventKey, options)
  return events.map((event) => ({
    eventId: writeEventId(event.eventNo, { customerUid: uid, ...event }),
    customerId,
    feature: catalogue.featuresByNo.get(event.featureNo) as Feature,
    event,
  }))
}

/** The event that has the key now: one that was given another no longer has its first. */
async function findByKey(
  { database }: Services,
  customerUid: string,
  eventKey: string,
  options: ListOptions,
): Promise<UsageEvent[]> {
  const keyHash = hashToUuid(eventKey)
  const places = options.featureNos.map((featureNo) => ({ customerUid, featureNo, keyHash }))
  const found = await findEvents(database.pool, places)
  return found.flatMap((event) => (event?.eventKey === eventKey && isListed(event, options) ? [event] : []))
}
