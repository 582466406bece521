// A feature over all customers: who uses most, and how near they are to their limits.
import { getFeature } from '../../domain/catalogue/catalogue.ts'
import { countByShare, listTopUsers, type ShareCount } from '../../storage/statistics/customer-rows.ts'
import { findAsOf } from '../../storage/statistics/turn.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

const topAtMost = 10
const nearTenth = 8
const atLimitTenth = 10

/** In the current period of each customer. */
export async function getFeatureStatistics(
  { database }: Services,
  { catalogue, principal, now }: Context,
  featureKey: string,
) {
  const { featureNo } = getFeature(catalogue, featureKey)
  const [asOf, topCustomers, counts] = await Promise.all([
    findAsOf(database.pool, principal.environment),
    listTopUsers(database.pool, featureNo, { now, limit: topAtMost }),
    countByShare(database.pool, featureNo, now),
  ])
  const add = (isOf: (count: ShareCount) => boolean, field: 'customers' | 'used' = 'customers') =>
    counts.reduce((sum, count) => (isOf(count) ? sum + count[field] : sum), 0)
  const histogram = Array.from({ length: atLimitTenth + 1 }, (_, tenth) => ({
    from: tenth / 10,
    to: tenth === atLimitTenth ? null : (tenth + 1) / 10,
    count: add((count) => count.tenth === tenth),
  }))
  return {
    asOf,
    topCustomers,
    histogram,
    customers: {
      used: add(() => true, 'used'),
      atLimit: add(({ tenth }) => tenth === atLimitTenth),
      near: add(({ tenth }) => tenth !== undefined && tenth >= nearTenth && tenth < atLimitTenth),
      unlimited: add(({ tenth }) => tenth === undefined),
    },
  }
}
