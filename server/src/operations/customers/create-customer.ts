// Creates a customer with the custom products it is assigned, and has it created at the payment provider.

import { getAssignable, toAssignment } from '../../domain/catalogue/assignable-products.ts'
import { conflict, overloaded, quote, RequestError } from '../../domain/errors.ts'
import type { Moment } from '../../domain/ledger/account.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { makeCustomerUid } from '../../storage/customers/customer-uid.ts'
import { findCustomerUid, insertAssignments, insertCustomer } from '../../storage/customers/customers.ts'
import type { Sql } from '../../storage/database.ts'
import { loadStatesByUid } from '../../storage/ledger/load-states.ts'
import { tryLink } from '../billing/link-customer.ts'
import { fetchTakeover, saveTakeover, toCopied } from '../billing/take-over-customer.ts'
import { type Context, inMoment, toCustomerHash, withoutSighting } from '../context.ts'
import type { Services } from '../services.ts'
import { findCustomer } from './get-customer.ts'
import { type CustomerView, getCustomerView, toNewView } from './read-customer.ts'
import { updateCustomer } from './update-customer.ts'

type Input = {
  customerId: string
  name?: string | undefined
  email?: string | undefined
  metadata?: Record<string, string> | undefined
  usageStartedAt?: number | undefined
  customProductKeys?: string[] | undefined
  providerCustomerId?: string | undefined
  /** Of one that is told of afterwards: since when it is a customer. */
  createdAt?: number | undefined
}

export const ifExistsChoices = ['return', 'update'] as const
type IfExists = (typeof ifExistsChoices)[number]

// A customer may be deleted between being found and being updated; nobody does so again and again.
const attempts = 5

/** The customer, and whether it was made now; without `ifExists` a taken id is a conflict. */
export async function createCustomer(
  services: Services,
  context: Context,
  { ifExists, ...input }: Input & { ifExists?: IfExists | undefined },
): Promise<{ isNew: boolean; view: CustomerView }> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    // Looked for first: adding one may ask the provider, and returning one must not.
    const isKnown = ifExists !== undefined && (await exists(services, context, input.customerId))
    if (!isKnown) {
      try {
        const made = await addCustomer(services, context, input)
        if (input.providerCustomerId !== undefined) services.wakeWorker()
        const { customerUid } = made.state.customer
        await tryLink(services, customerUid)
        const linked = await findCustomer(services, withoutSighting(context), input.customerId)
        // Deleted since, perhaps made anew: it was made all the same, and that is what is answered.
        const isSame = linked?.state.customer.customerUid === customerUid
        return { isNew: true, view: isSame ? linked : made }
      } catch (error) {
        if (ifExists === undefined || !isCode(error, 'customer_id_taken')) throw error
      }
    }
    try {
      if (ifExists === 'update') await updateExisting(services, context, input)
      return { isNew: false, view: await getCustomerView(services, context, input.customerId) }
    } catch (error) {
      if (!isCode(error, 'customer_not_found')) throw error
    }
  }
  throw overloaded()
}

const exists = async ({ database }: Services, context: Context, customerId: string): Promise<boolean> =>
  (await findCustomerUid(database.pool, toCustomerHash(context, customerId))) !== undefined

export const idTaken = (customerId: string): RequestError =>
  conflict('customer_id_taken', `customerId ${quote(customerId)} is taken by another customer.`)

const isCode = (error: unknown, code: string): boolean => error instanceof RequestError && error.code === code

/** Sets what was sent; products are added, none is removed. */
const updateExisting = (
  services: Services,
  context: Context,
  { customerId, customProductKeys, createdAt: _, ...details }: Input,
): Promise<void> =>
  updateCustomer(
    services,
    context,
    customerId,
    { ...details, addCustomProductKeys: customProductKeys },
    'customProductKeys',
  )

/** Here only: the provider is told by whoever calls this, else by the worker. Returns the customer as it was made. */
export async function addCustomer(services: Services, context: Context, input: Input): Promise<CustomerView> {
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
    const { catalogue } = moment
    const now = input.createdAt ?? moment.now
    const customer = {
      customerUid: uid,
      customerHash: hash,
      environment,
      customerId: input.customerId,
      name: input.name ?? copied?.name,
      email: input.email ?? copied?.email,
      metadata: input.metadata ?? {},
      createdAt: now,
      usageStartedAt: input.usageStartedAt ?? now,
    }
    if (!(await insertCustomer(sql, customer))) {
      throw idTaken(input.customerId)
    }
    const products = getAssignable(catalogue, input.customProductKeys ?? [], 'customProductKeys')
    if (takeover) await saveTakeover(sql, moment, customer, takeover)
    await insertAssignments(sql, uid, products.map(toAssignment), now)
    const after = {
      ...customer,
      customProductKeys: products.map((product) => product.productKey),
      providerCustomerId,
    }
    const entry = { action: 'customer.create', subject: input.customerId, after }
    await insertAuditEntry(sql, { principal, now }, entry, uid)
    const state = (await loadStatesByUid(sql, [uid])).get(uid)
    if (!state) throw new Error(`the customer ${uid} was made and is not there`)
    return toNewView(catalogue, state)
  }
  return services.customerTurns(hash, () => inMoment(services, context, { work }))
}
