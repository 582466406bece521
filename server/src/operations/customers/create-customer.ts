// Creates a customer with the custom products it is assigned, and has it created at the payment provider.

import { type Catalogue, latestVersion, type Product } from '../../domain/catalogue/catalogue.ts'
import { conflict, invalid, quote } from '../../domain/errors.ts'
import type { Moment } from '../../domain/ledger/account.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { makeCustomerUid } from '../../storage/customers/customer-uid.ts'
import { insertAssignments, insertCustomer } from '../../storage/customers/customers.ts'
import type { Sql } from '../../storage/database.ts'
import { tryLink } from '../billing/link-customer.ts'
import { fetchTakeover, saveTakeover, toCopied } from '../billing/take-over-customer.ts'
import { type Context, inMoment, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

type Input = {
  customerId: string
  name?: string | undefined
  email?: string | undefined
  usageStartedAt?: number | undefined
  customProductKeys?: string[] | undefined
  providerCustomerId?: string | undefined
}

export async function createCustomer(services: Services, context: Context, input: Input): Promise<void> {
  const uid = await addCustomer(services, context, input)
  if (input.providerCustomerId !== undefined) services.wakeWorker()
  await tryLink(services, uid)
}

/** Here only: the provider is told by whoever calls this, else by the worker. Returns the customer's uid. */
export async function addCustomer(services: Services, context: Context, input: Input): Promise<string> {
  const { principal } = context
  const { environment } = principal
  const hash = toCustomerHash(context, input.customerId)
  const uid = makeCustomerUid(hash)
  const { providerCustomerId } = input
  const takeover =
    providerCustomerId === undefined
      ? undefined
      : await fetchTakeover(services, environment, providerCustomerId)
  const copied = takeover && toCopied(takeover)
  const work = async (sql: Sql, moment: Moment) => {
    const { catalogue, now } = moment
    const products = getAssignable(catalogue, input.customProductKeys ?? [], 'customProductKeys')
    const customer = {
      customerUid: uid,
      customerHash: hash,
      environment,
      customerId: input.customerId,
      name: input.name ?? copied?.name,
      email: input.email ?? copied?.email,
      createdAt: now,
      usageStartedAt: input.usageStartedAt ?? now,
    }
    if (!(await insertCustomer(sql, customer))) {
      throw conflict(
        'customer_id_taken',
        `customerId ${quote(input.customerId)} is taken by another customer.`,
      )
    }
    if (takeover) await saveTakeover(sql, moment, customer, takeover)
    await insertAssignments(sql, uid, products.map(toAssignment), now)
    const after = {
      ...customer,
      customProductKeys: products.map((product) => product.productKey),
      providerCustomerId,
    }
    const entry = { action: 'customer.create', subject: input.customerId, after }
    await insertAuditEntry(sql, { principal, now }, entry)
  }
  await inMoment(services, context, { work })
  return uid
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
