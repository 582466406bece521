// Creates a customer with the custom products it is assigned, and has it created at the payment provider.
import type { Caller } from '../../domain/caller.ts'
import { type Catalogue, latestVersion, type Product } from '../../domain/catalogue/catalogue.ts'
import { conflict, invalid, quote } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import { insertAssignments, insertCustomer } from '../../storage/customers/customers.ts'
import { tryLink } from '../billing/link-customer.ts'
import type { Services } from '../services.ts'

type Input = {
  customerId: string
  name?: string | undefined
  email?: string | undefined
  usageStartedAt?: number | undefined
  customProductKeys?: string[] | undefined
}

export async function createCustomer(services: Services, caller: Caller, input: Input): Promise<void> {
  await addCustomer(services, caller, input)
  await tryLink(services, customerUid(caller.environment, input.customerId))
}

/** Here only: the provider is told by whoever calls this, else by the worker. */
export async function addCustomer(services: Services, caller: Caller, input: Input): Promise<void> {
  const { environment, now } = caller
  const catalogue = await services.catalogues.get(environment, caller.catalogueRevision)
  const products = getAssignable(catalogue, input.customProductKeys ?? [], 'customProductKeys')
  const uid = customerUid(environment, input.customerId)
  const customer = {
    customerUid: uid,
    environment,
    customerId: input.customerId,
    name: input.name,
    email: input.email,
    createdAt: now,
    usageStartedAt: input.usageStartedAt ?? now,
  }
  await services.database.inTransaction(async (sql) => {
    if (!(await insertCustomer(sql, customer))) {
      throw conflict(
        'customer_id_taken',
        `customerId ${quote(input.customerId)} is taken by another customer.`,
      )
    }
    await insertAssignments(sql, uid, products.map(toAssignment), now)
    const after = { ...customer, customProductKeys: products.map((product) => product.productKey) }
    await insertAuditEntry(sql, caller, { action: 'customer.create', subject: input.customerId, after })
  })
}

export const toAssignment = (product: Product) => ({
  productId: product.productId,
  version: latestVersion(product).version,
})

/** Custom products that can be newly assigned. */
export function getAssignable(catalogue: Catalogue, productKeys: string[], field: string): Product[] {
  return [...new Set(productKeys)].map((productKey) => {
    const product = getCustomProduct(catalogue, productKey, field)
    if (product.archivedAt !== null) {
      throw invalid(`${field}: the product ${quote(productKey)} is archived and cannot be assigned.`)
    }
    return product
  })
}

export function getCustomProduct(catalogue: Catalogue, productKey: string, field: string): Product {
  const product = catalogue.products.get(productKey)
  if (!product) throw invalid(`${field}: there is no product ${quote(productKey)}.`)
  if (product.type !== 'custom') {
    throw invalid(`${field}: ${quote(productKey)} is a provider product; only custom products are assigned.`)
  }
  return product
}
