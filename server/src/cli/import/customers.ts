// Customers of a file: in batches, but for those whom the payment provider has already, who are taken over one by one.
import { TollkeeperError } from '@tollkeeper/sdk/src/errors.ts'
import type { CustomerBatchItem, NewCustomer, Tollkeeper } from '@tollkeeper/sdk/src/sdk.ts'
import type { Columns } from './read-records.ts'
import type { Result } from './send-batches.ts'
import { readInstant, readObject } from './values.ts'

export const customerColumns: Columns = {
  customerId: String,
  name: String,
  email: String,
  usageStartedAt: readInstant,
  /** Divided by blanks. */
  customProductKeys: (text) => text.trim().split(/\s+/),
  providerCustomerId: String,
  metadata: readObject,
}

type Values = Record<string, unknown>

export function openCustomerSender(remote: Tollkeeper, ifExists: 'update' | 'return' | 'refuse') {
  const choice = ifExists === 'refuse' ? {} : { ifExists }
  return async (values: Values[]): Promise<Result[]> => {
    const isTaken = (each: Values) => each.providerCustomerId !== undefined
    const batch = values.filter((each) => !isTaken(each)).map((each) => ({ ...each, ...choice }))
    const answer =
      batch.length === 0 ? undefined : await remote.customers.createBatch(batch as CustomerBatchItem[])
    const results = (answer?.results ?? []).map(
      (each): Result => (each.success ? { success: true, isNew: each.result.isNew } : each),
    )
    const all: Result[] = []
    for (const each of values)
      all.push(isTaken(each) ? await takeOver(remote, { ...each, ...choice }) : (results.shift() as Result))
    return all
  }
}

/** A refusal is this customer's own; what concerns all of them, as a key that is refused, ends the import. */
export async function takeOver(remote: Tollkeeper, customer: Values): Promise<Result> {
  try {
    const before = await remote.customers.get(String(customer.customerId))
    const call = customer.ifExists === undefined ? remote.customers.create : remote.customers.ensure
    await call(customer as NewCustomer)
    return { success: true, isNew: before === null }
  } catch (error) {
    const ofCustomer = [400, 404, 409, 422, 502]
    if (!(error instanceof TollkeeperError) || !ofCustomer.includes(error.status)) throw error
    return { success: false, error: error.message, code: error.code }
  }
}
