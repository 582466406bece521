// Clears away what deleted features and customers left behind, in short transactions between other work.
import { purgeCustomerStep, purgeFeatureStep } from '../../storage/customers/purges.ts'
import type { Services } from '../services.ts'

const customersAtOnce = 500
// A step of so many rows takes some tens of milliseconds, and locks nothing that anybody can still reach.
const rowsAtOnce = 5_000
const stepsAtOnce = 20

/** Says how many steps it went. */
export async function purgeFeatures({ database }: Services): Promise<number> {
  let steps = 0
  while (
    steps < stepsAtOnce &&
    (await database.inTransaction((sql) => purgeFeatureStep(sql, customersAtOnce)))
  ) {
    steps++
  }
  return steps
}

export async function purgeCustomers({ database }: Services): Promise<number> {
  let steps = 0
  while (steps < stepsAtOnce && (await database.inTransaction((sql) => purgeCustomerStep(sql, rowsAtOnce)))) {
    steps++
  }
  return steps
}
