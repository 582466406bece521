// Usage over time, by hour or day: of one customer exactly, of a whole environment as of some seconds ago.
import { findMainProduct } from '../../domain/access/held-products.ts'
import { type Catalogue, type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { invalid, missing } from '../../domain/errors.ts'
import {
  buildChart,
  type Chart,
  type ChartInterval,
  type ChartValue,
  decideRange,
  otherKey,
  seriesAtMost,
} from '../../domain/statistics/chart.ts'
import type { Sql } from '../../storage/database.ts'
import { findCustomerNames } from '../../storage/statistics/customer-names.ts'
import { findAsOf } from '../../storage/statistics/turn.ts'
import {
  findTopCustomers,
  type SeriesRange,
  sumAll,
  sumCustomer,
  sumCustomers,
} from '../../storage/statistics/usage-series.ts'
import type { Context } from '../context.ts'
import { type CustomerView, getCustomerView } from '../customers/read-customer.ts'
import type { Services } from '../services.ts'

export const chartGroups = ['none', 'feature', 'product', 'customer'] as const
export const chartMeasures = ['amount', 'events'] as const

type Measure = (typeof chartMeasures)[number]

export type UsageChartQuery = {
  interval: ChartInterval
  groupBy: (typeof chartGroups)[number]
  measure: Measure
  from?: number | undefined
  to?: number | undefined
  featureKey?: string | undefined
  customerId?: string | undefined
  productKey?: string | undefined
}

export type UsageChart = {
  asOf: number
  isExact: boolean
  interval: ChartInterval
  points: Chart['points']
  series: (Chart['series'][number] & { name: string })[]
}

/** Values of all that is counted under no name of its own. */
const totalKey = 'total'

export async function chartUsage(
  services: Services,
  context: Context,
  query: UsageChartQuery,
): Promise<UsageChart> {
  const { catalogue } = context
  const { interval, groupBy, measure, featureKey, customerId } = query
  if (measure === 'amount' && featureKey === undefined && groupBy !== 'feature')
    throw invalid(
      'featureKey is required with measure "amount" unless groupBy is "feature".',
      'missing_field',
    )
  const features =
    featureKey === undefined ? [...catalogue.features.values()] : [getFeature(catalogue, featureKey)]
  const range = {
    ...decideRange(interval, query, context.now),
    featureNos: features.map((feature) => feature.featureNo),
    productNo: findProductNo(catalogue, query.productKey),
  }
  const { pool } = services.database
  if (customerId !== undefined) {
    const view = await getCustomerView(services, context, customerId)
    const values = await sumOne(pool, view, range, query)
    const chart = buildChart(range, values)
    return {
      asOf: context.now,
      isExact: true,
      interval,
      ...withNames(chart, nameIn(catalogue, groupBy, view)),
    }
  }
  const asOf = await findAsOf(pool, context.principal.environment)
  const { values, nameOf } =
    groupBy === 'customer'
      ? await sumByCustomer(pool, range, measure)
      : {
          values: (await sumAll(pool, range)).map((row) => ({
            at: row.at,
            key: keyOf(catalogue, groupBy, row),
            value: row[measure],
          })),
          nameOf: nameIn(catalogue, groupBy),
        }
  return { asOf, isExact: false, interval, ...withNames(buildChart(range, values), nameOf) }
}

function findProductNo({ products }: Catalogue, productKey: string | undefined): number | undefined {
  if (productKey === undefined) return undefined
  const product = products.get(productKey)
  if (!product) throw missing('product', productKey)
  return product.productNo
}

async function sumOne(
  sql: Sql,
  { state, entitlements, catalogue }: CustomerView,
  range: SeriesRange,
  { groupBy, measure }: UsageChartQuery,
): Promise<ChartValue[]> {
  const { customerUid, customerId } = state.customer
  const currentNo = findMainProduct(entitlements.held)?.productNo ?? 0
  const rows = await sumCustomer(sql, customerUid, currentNo, range)
  return rows.map((row) => ({
    at: row.at,
    key: groupBy === 'customer' ? customerId : keyOf(catalogue, groupBy, row),
    value: row[measure],
  }))
}

function keyOf(
  { featuresByNo, products }: Catalogue,
  groupBy: UsageChartQuery['groupBy'],
  { featureNo, productNo }: { featureNo: number; productNo: number },
): string {
  if (groupBy === 'feature') return featuresByNo.get(featureNo)?.featureKey ?? otherKey
  if (groupBy !== 'product') return totalKey
  for (const product of products.values()) if (product.productNo === productNo) return product.productKey
  return otherKey
}

type NameOf = (key: string) => string

const nameIn =
  (catalogue: Catalogue, groupBy: UsageChartQuery['groupBy'], view?: CustomerView): NameOf =>
  (key) => {
    if (groupBy === 'feature') return (catalogue.features.get(key) as Feature | undefined)?.name ?? key
    if (groupBy === 'product') return catalogue.products.get(key)?.name ?? key
    return groupBy === 'customer' ? (view?.state.customer.name ?? key) : key
  }

const withNames = ({ points, series }: Chart, nameOf: NameOf) => ({
  points,
  series: series.map((each) => ({ ...each, name: each.key === otherKey ? 'Other' : nameOf(each.key) })),
})

// More than are shown, since who is first by the days' sums need not be first by the buckets'.
const candidates = 3 * seriesAtMost

async function sumByCustomer(
  sql: Sql,
  range: SeriesRange,
  measure: Measure,
): Promise<{ values: ChartValue[]; nameOf: NameOf }> {
  const uids = await findTopCustomers(sql, range, { measure, limit: candidates })
  const [names, rows, totals] = await Promise.all([
    findCustomerNames(sql, uids),
    sumCustomers(sql, uids, range),
    sumAll(sql, range),
  ])
  const values: ChartValue[] = totals.map((row) => ({ at: row.at, key: otherKey, value: row[measure] }))
  for (const row of rows) {
    const key = names.get(row.customerUid)?.customerId
    if (key === undefined) continue
    values.push({ at: row.at, key, value: row[measure] }, { at: row.at, key: otherKey, value: -row[measure] })
  }
  const byId = new Map([...names.values()].map((each) => [each.customerId, each.name]))
  return { values, nameOf: (key) => byId.get(key) ?? key }
}
