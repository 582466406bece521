// How many customers hold each version of each product.
import { countHolders as countRows } from '../../storage/statistics/customer-rows.ts'
import { findAsOf } from '../../storage/statistics/turn.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export type ProductHolders = {
  productKey: string
  holders: number
  byVersion: { version: number; holders: number }[]
}

/** Archived products too: they may be held still. */
export async function countHolders(
  { database }: Services,
  { principal, catalogue }: Context,
): Promise<{ asOf: number; products: ProductHolders[] }> {
  const products = [...catalogue.products.values()]
  const [asOf, rows] = await Promise.all([
    findAsOf(database.pool, principal.environment),
    countRows(
      database.pool,
      products.map((product) => product.productNo),
    ),
  ])
  const byProduct = Map.groupBy(rows, (row) => row.productNo)
  return {
    asOf,
    products: products.map(({ productKey, productNo }) => {
      const byVersion = (byProduct.get(productNo) ?? []).map(({ version, holders }) => ({ version, holders }))
      return { productKey, holders: byVersion.reduce((sum, each) => sum + each.holders, 0), byVersion }
    }),
  }
}
