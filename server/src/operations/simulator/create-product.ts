// Makes a product with its prices at the simulated provider, as an account's owner would; it is linked or imported afterwards.
import { randomUUID } from 'node:crypto'
import type { NewProviderProduct } from '../../provider/provider.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { callProvider } from '../billing/provider-call.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getAccountOwner } from './get-account-owner.ts'

export async function createProduct(
  services: Services,
  context: Context,
  product: NewProviderProduct,
): Promise<{ providerProductId: string; providerPriceIds: string[] }> {
  const { principal, now } = context
  const owner = getAccountOwner(services, context)
  const made = await callProvider(() => owner.createProduct(product, randomUUID()), true)
  const entry = { action: 'simulator.create_product', subject: made.providerProductId, after: product }
  await insertAuditEntry(services.database.pool, { principal, now }, entry)
  return made
}
