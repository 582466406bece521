// The customer that a checkout is for: created from what is known of it, or brought up to date.
import { missing, RequestError } from '../../domain/errors.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import { type Context, toCustomerHash } from '../context.ts'
import { addCustomer } from '../customers/create-customer.ts'
import { changeDetails } from '../customers/update-customer.ts'
import type { Services } from '../services.ts'

export type CustomerInfo = {
  name?: string | undefined
  email?: string | undefined
  metadata?: Record<string, string> | undefined
}

/** An unknown customer is created from what is known of it; a known one's name and email follow. */
export async function ensureCustomer(
  services: Services,
  context: Context,
  customerId: string,
  info: CustomerInfo | undefined,
): Promise<void> {
  const known = await findCustomerUid(services.database.pool, toCustomerHash(context, customerId))
  if (known === undefined) {
    if (!info) throw missing('customer', customerId)
    await addCustomer(services, context, { customerId, ...info }).catch((error) => {
      // Somebody created it at the same moment: then it is there.
      if (!(error instanceof RequestError) || error.code !== 'customer_id_taken') throw error
    })
  } else if (info && (info.name !== undefined || info.email !== undefined)) {
    await changeDetails(services, context, customerId, { name: info.name, email: info.email })
  }
}
