// Creates one of many customers: the payment provider is told of it in the background.
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { createCustomer } from './create-customer.ts'

type NewCustomer = Omit<Parameters<typeof createCustomer>[2], 'providerCustomerId'>

export async function createCustomerOfBatch(
  services: Services,
  context: Context,
  customer: NewCustomer,
): Promise<{ customerId: string; isNew: boolean }> {
  const { isNew } = await createCustomer(services, context, { ...customer, linksLater: true })
  return { customerId: customer.customerId, isNew }
}
