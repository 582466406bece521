// Deletes a customer and all it owns here; the provider's customer and subscriptions are left alone.
import type { Caller } from '../domain/caller.ts'
import { deleteCustomerRows } from '../storage/customers.ts'
import { changeCustomer } from './change-customer.ts'
import type { Services } from './services.ts'

export async function deleteCustomer(services: Services, caller: Caller, customerId: string): Promise<void> {
  await changeCustomer(services, caller, customerId, async (sql, { customer, assignments }) => {
    await deleteCustomerRows(sql, customer.customerUid)
    return { action: 'customer.delete', before: { ...customer, assignments } }
  })
}
