// Finds a customer by the caller's id.
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'
import { type CustomerView, findViewByHash } from './read-customer.ts'

/** Undefined when there is no such customer. */
export const findCustomer = (
  services: Services,
  context: Context,
  customerId: string,
): Promise<CustomerView | undefined> => findViewByHash(services, context, toCustomerHash(context, customerId))
