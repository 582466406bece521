// Deletes a customer and all it owns here; the provider's customer and subscriptions are left alone.
import type { Caller } from '../../domain/caller.ts'
import { deleteCustomerRows } from '../../storage/customers/customers.ts'
import type { Services } from '../services.ts'
import { changeCustomer } from './change-customer.ts'

export async function deleteCustomer(services: Services, caller: Caller, customerId: string): Promise<void> {
  await changeCustomer(services, caller, customerId, async (sql, { customer, assignments }) => {
    await deleteCustomerRows(sql, customer.customerUid)
    return { action: 'customer.delete', before: { ...customer, assignments } }
  })
}
