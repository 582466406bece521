// Rows of the dashboard's list of customers: what each holds, how near it is to its limits, and its last fourteen days.
import { computeHeldProducts, type HeldProduct } from '../../domain/access/held-products.ts'
import { nearShare } from '../../domain/access/standing.ts'
import { getFeature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import {
  type CustomerRow,
  countCustomerRows,
  listCustomerRows as listRows,
  type RowFilter,
  type RowPosition,
  type RowSort,
  type RowStatus,
} from '../../storage/statistics/customer-rows.ts'
import { dayMs } from '../../storage/statistics/roll-up.ts'
import { findAsOf } from '../../storage/statistics/turn.ts'
import { countByDay } from '../../storage/statistics/usage-series.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export type CustomerRowQuery = {
  search?: string | undefined
  productKey?: string | undefined
  status?: RowStatus | undefined
  featureKey?: string | undefined
  sort: RowSort
}

export type ShownCustomerRow = CustomerRow & {
  held: HeldProduct[]
  featureKey: string | undefined
  /** Events, oldest day first; the last is today. */
  perDay: number[]
}

const daysShown = 14

function toRowFilter({ principal, catalogue, now }: Context, query: CustomerRowQuery): RowFilter {
  const { search, productKey, status, featureKey } = query
  const product = productKey === undefined ? undefined : catalogue.products.get(productKey)
  if (productKey !== undefined && !product) throw missing('product', productKey)
  return {
    environment: principal.environment,
    now,
    nearShare,
    search,
    productNo: product?.productNo,
    status,
    featureNo: featureKey === undefined ? undefined : getFeature(catalogue, featureKey).featureNo,
  }
}

export async function listCustomerRows(
  services: Services,
  context: Context,
  query: CustomerRowQuery & { after: RowPosition | undefined; limit: number; counts?: boolean },
) {
  const { pool } = services.database
  const filter = toRowFilter(context, query)
  const { sort, after, limit, counts = true } = query
  const [found, total, asOf] = await Promise.all([
    listRows(pool, filter, { sort, after, limit: limit + 1 }),
    counts ? countCustomerRows(pool, filter) : 0,
    findAsOf(pool, context.principal.environment),
  ])
  const listed = found.slice(0, limit)
  return {
    asOf,
    total,
    customers: await showRows(services, context, listed),
    next: found.length > limit ? listed.at(-1)?.position : undefined,
  }
}

/** With what is not in the row itself: products as they are held now, and sums. */
async function showRows(
  { database, states }: Services,
  { catalogue, now }: Context,
  rows: readonly CustomerRow[],
): Promise<ShownCustomerRow[]> {
  const today = now - (now % dayMs)
  const from = today - (daysShown - 1) * dayMs
  const featureNos = [...catalogue.featuresByNo.keys()]
  const uids = rows.map((row) => row.customerUid)
  const [found, days] = await Promise.all([
    Promise.all(rows.map((row) => states.load(row.customerHash))),
    countByDay(database.pool, uids, featureNos, { from, to: today + dayMs }),
  ])
  const byCustomer = Map.groupBy(days, (day) => day.customerUid)
  return rows.map((row, index) => {
    const perDay = Array.from({ length: daysShown }, () => 0)
    for (const { dayAt, events } of byCustomer.get(row.customerUid) ?? [])
      perDay[(dayAt - from) / dayMs] = events
    const state = found[index]
    const held = state ? computeHeldProducts(catalogue, state, Math.max(now, state.asOf)) : []
    const featureKey =
      row.featureNo === undefined ? undefined : catalogue.featuresByNo.get(row.featureNo)?.featureKey
    return { ...row, held, featureKey, perDay }
  })
}
