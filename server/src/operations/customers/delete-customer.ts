// Deletes a customer and, in steps afterwards, all it owns here; the provider's customer and subscriptions are left alone.

import { missing } from '../../domain/errors.ts'
import { deleteCustomerRow } from '../../storage/customers/customers.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { changeCustomer } from './change-customer.ts'

/** With `onlyUid`, this very customer: not one that was made anew under its id. */
export async function deleteCustomer(
  services: Services,
  context: Context,
  customerId: string,
  onlyUid?: string,
): Promise<void> {
  await changeCustomer(services, context, customerId, async (sql, { customer, assignments }) => {
    if (onlyUid !== undefined && customer.customerUid !== onlyUid) throw missing('customer', customerId)
    await deleteCustomerRow(sql, customer.customerUid)
    return { action: 'customer.delete', before: { ...customer, assignments } }
  })
  services.wakeWorker()
}
