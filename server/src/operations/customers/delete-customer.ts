// Deletes a customer and, in steps afterwards, all it owns here; the provider's customer and subscriptions are left alone.

import { deleteCustomerRow } from '../../storage/customers/customers.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { changeCustomer } from './change-customer.ts'

export async function deleteCustomer(
  services: Services,
  context: Context,
  customerId: string,
): Promise<void> {
  await changeCustomer(services, context, customerId, async (sql, { customer, assignments }) => {
    await deleteCustomerRow(sql, customer.customerUid)
    return { action: 'customer.delete', before: { ...customer, assignments } }
  })
  services.wakeWorker()
}
