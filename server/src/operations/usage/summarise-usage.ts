// A customer's usage of a feature, summed up by hour, day, week or month.
import { getFeature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import { checkTracking } from '../../domain/ledger/account.ts'
import { computeBuckets, type SummaryInterval } from '../../domain/ledger/summary.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import { type Bucket, summariseEvents } from '../../storage/ledger/summarise-events.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

type Query = {
  customerId: string
  featureKey: string
  interval: SummaryInterval
  from?: number | undefined
  to?: number | undefined
}

export async function summariseUsage(
  { database }: Services,
  context: Context,
  { customerId, featureKey, interval, ...range }: Query,
): Promise<Bucket[]> {
  const feature = getFeature(context.catalogue, featureKey)
  const spans = computeBuckets(interval, range, context.now)
  const uid = await findCustomerUid(database.pool, toCustomerHash(context, customerId))
  if (uid === undefined) throw missing('customer', customerId)
  checkTracking({ feature })
  return summariseEvents(database.pool, uid, feature.featureNo, spans)
}
