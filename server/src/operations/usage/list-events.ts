// The ledger over all customers, newest first; of one customer exactly as it is now.
import { type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { invalid, missing } from '../../domain/errors.ts'
import type { UsageEvent } from '../../domain/ledger/usage-event.ts'
import { hashToUuid } from '../../storage/customers/customer-uid.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import { readEventId, writeEventId } from '../../storage/ledger/event-id.ts'
import { findEvents, listEvents as listOfCustomer } from '../../storage/ledger/events.ts'
import { findLogged } from '../../storage/statistics/customer-history.ts'
import { findCustomerNames } from '../../storage/statistics/customer-names.ts'
import {
  type EnvironmentEvent,
  type EnvironmentPosition,
  type EnvironmentRange,
  findEventsByKey,
  listEnvironmentEvents,
} from '../../storage/statistics/environment-events.ts'
import { findAsOf } from '../../storage/statistics/turn.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

export type EventSource = 'usage' | 'usage_set_adjustment'

export type EventFilter = {
  featureKey?: string | undefined
  productKey?: string | undefined
  customerId?: string | undefined
  source?: EventSource | undefined
  /** An event's id or key. */
  search?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

export type ListedEvent = {
  eventId: string
  customerId: string
  customerName: string | undefined
  feature: Feature
  event: UsageEvent
  productKey: string | undefined
  isEdited: boolean
}

export type EventPage = {
  asOf: number
  events: ListedEvent[]
  /** Where the next page begins; there may be one though this is not full. */
  next: EnvironmentPosition | undefined
}

/** A filter that nearly nothing passes ends a page after so many looks. */
const looksAtMost = 3
const scannedAtOnce = 150

export async function listEvents(
  services: Services,
  context: Context,
  query: EventFilter & { before: EnvironmentPosition | undefined; limit: number },
): Promise<EventPage> {
  const { pool } = services.database
  const { environment } = context.principal
  const asOf = query.customerId === undefined ? await findAsOf(pool, environment) : context.now
  if (query.search)
    return { asOf, events: await findSearched(services, context, query.search, query), next: undefined }
  const scan = await createScan(services, context, query)
  const passes = ({ event }: EnvironmentEvent) =>
    query.source === undefined || sourceOf(event) === query.source
  const found: EnvironmentEvent[] = []
  let before = query.before
  let isOver = false
  for (let look = 0; look < looksAtMost && found.length <= query.limit && !isOver; look++) {
    const wanted = query.source === undefined ? query.limit + 1 : scannedAtOnce
    const rows = await scan(before, wanted)
    found.push(...rows.filter(passes))
    isOver = rows.length < wanted
    const last = rows.at(-1)
    if (last) before = toPosition(last)
  }
  const listed = found.slice(0, query.limit)
  const last = listed.at(-1)
  const next = found.length > query.limit ? last && toPosition(last) : isOver ? undefined : before
  return { asOf, events: await showEvents(services, context, listed), next }
}

const toPosition = ({ customerUid, event }: EnvironmentEvent): EnvironmentPosition => ({
  occurredAt: event.occurredAt,
  customerUid,
  eventNo: event.eventNo,
})

const sourceOf = ({ sentUsed }: UsageEvent): EventSource =>
  sentUsed === undefined ? 'usage' : 'usage_set_adjustment'

type Scan = (before: EnvironmentPosition | undefined, limit: number) => Promise<EnvironmentEvent[]>

/** One stretch of what the filter leaves but for the source, which no index knows. */
async function createScan({ database }: Services, context: Context, filter: EventFilter): Promise<Scan> {
  const { catalogue } = context
  const { featureKey, productKey, customerId, from = 0, to = Number.MAX_SAFE_INTEGER } = filter
  const features =
    featureKey === undefined ? [...catalogue.features.values()] : [getFeature(catalogue, featureKey)]
  const featureNos = features.filter((feature) => feature.tracksUsage).map((feature) => feature.featureNo)
  if (customerId === undefined) {
    const product = productKey === undefined ? undefined : catalogue.products.get(productKey)
    if (productKey !== undefined && !product) throw missing('product', productKey)
    const range: Omit<EnvironmentRange, 'before' | 'limit'> = {
      featureNos,
      productNo: product?.productNo,
      from,
      to,
    }
    return (before, limit) => listEnvironmentEvents(database.pool, { ...range, before, limit })
  }
  if (productKey !== undefined) throw invalid('productKey cannot be given with customerId.')
  const customerUid = await findCustomerUid(database.pool, toCustomerHash(context, customerId))
  if (customerUid === undefined) throw missing('customer', customerId)
  const name = (await findCustomerNames(database.pool, [customerUid])).get(customerUid)?.name
  return async (before, limit) => {
    const events = await listOfCustomer(database.pool, customerUid, { featureNos, from, to, before, limit })
    return events.map((event) => ({ customerUid, customerId, name, productNo: 0, event }))
  }
}

/** An id leads to its event, also one that was deleted; a key to the events of all customers that have it. */
async function findSearched(
  services: Services,
  context: Context,
  search: string,
  filter: EventFilter,
): Promise<ListedEvent[]> {
  const { pool } = services.database
  const { environment } = context.principal
  const place = readEventId(search)
  if (place) {
    const [event] = await findEvents(pool, [place])
    const owner = (await findCustomerNames(pool, [place.customerUid], environment)).get(place.customerUid)
    if (!event || !owner || event.eventNo !== place.eventNo) return []
    return showEvents(services, context, [{ ...owner, productNo: 0, event }])
  }
  const { catalogue } = context
  const features =
    filter.featureKey === undefined
      ? [...catalogue.features.values()]
      : [getFeature(catalogue, filter.featureKey)]
  const featureNos = features.map((feature) => feature.featureNo)
  const keyHash = hashToUuid(search)
  if (filter.customerId !== undefined) {
    const customerUid = await findCustomerUid(pool, toCustomerHash(context, filter.customerId))
    if (customerUid === undefined) throw missing('customer', filter.customerId)
    const owner = (await findCustomerNames(pool, [customerUid])).get(customerUid)
    const found = await findEvents(
      pool,
      featureNos.map((featureNo) => ({ customerUid, featureNo, keyHash })),
    )
    const events = found.flatMap((event) => (event && owner ? [{ ...owner, productNo: 0, event }] : []))
    return showEvents(services, context, events)
  }
  const found = await findEventsByKey(pool, environment, featureNos, keyHash)
  if (!found) {
    throw invalid(
      'customerId is required to search for an event key among more than 2,000 customers; an event id is found without.',
      'missing_field',
    )
  }
  return showEvents(services, context, found)
}

async function showEvents(
  { database }: Services,
  { catalogue, principal }: Context,
  events: readonly EnvironmentEvent[],
): Promise<ListedEvent[]> {
  const products = new Map([...catalogue.products.values()].map((each) => [each.productNo, each.productKey]))
  const ids = events.map(({ customerUid, event }) => writeEventId(event.eventNo, { customerUid, ...event }))
  const edited = await findLogged(database.pool, principal.environment, ids)
  return events.flatMap(({ customerId, name, productNo, event }, index) => {
    const feature = catalogue.featuresByNo.get(event.featureNo)
    const eventId = ids[index] as string
    if (!feature) return []
    return {
      eventId,
      customerId,
      customerName: name,
      feature,
      event,
      productKey: products.get(productNo),
      isEdited: edited.has(eventId),
    }
  })
}
