// Lists a customer's usage events by time.
import { type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import { writeEventId } from '../../storage/ledger/event-id.ts'
import { type EventPosition, listEvents } from '../../storage/ledger/events.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'
import type { CustomerEvent } from './get-usage-event.ts'

type Query = {
  customerId: string
  featureKey?: string | undefined
  from?: number | undefined
  to?: number | undefined
  before: EventPosition | undefined
  limit: number
}

export async function listUsage(
  { database }: Services,
  context: Context,
  query: Query,
): Promise<CustomerEvent[]> {
  const { catalogue } = context
  const { customerId, featureKey, ...range } = query
  const features =
    featureKey === undefined ? [...catalogue.features.values()] : [getFeature(catalogue, featureKey)]
  const featureNos = features.filter((feature) => feature.tracksUsage).map((feature) => feature.featureNo)
  const uid = await findCustomerUid(database.pool, toCustomerHash(context, customerId))
  if (uid === undefined) throw missing('customer', customerId)
  const events = await listEvents(database.pool, uid, {
    featureNos,
    from: range.from,
    to: range.to,
    before: range.before,
    limit: range.limit,
  })
  return events.map((event) => ({
    eventId: writeEventId(event.eventNo, { customerUid: uid, ...event }),
    customerId,
    feature: catalogue.featuresByNo.get(event.featureNo) as Feature,
    event,
  }))
}
