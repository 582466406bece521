// Updates a customer's details and adds or removes custom products.

import { decideFallBack } from '../../domain/access/fall-back.ts'
import { getAssignable, getCustomProducts, toAssignment } from '../../domain/catalogue/assignable-products.ts'
import { invalid, quote } from '../../domain/errors.ts'
import { setLinkDue } from '../../storage/billing/provider-customers.ts'
import {
  deleteAssignments,
  insertAssignments,
  setFallBack,
  updateCustomerRow,
} from '../../storage/customers/customers.ts'
import { linkLeaseMs, tryLink } from '../billing/link-customer.ts'
import { checkTakeover, fetchTakeoverOf, saveTakeover, toCopied } from '../billing/take-over-customer.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'
import { changeCustomer } from './change-customer.ts'

/** Absent is left alone; a null name or email is cleared. */
type Input = {
  name?: string | null | undefined
  email?: string | null | undefined
  metadata?: Record<string, string> | undefined
  usageStartedAt?: number | undefined
  addCustomProductKeys?: string[] | undefined
  removeCustomProductKeys?: string[] | undefined
  providerCustomerId?: string | undefined
}

export async function updateCustomer(
  services: Services,
  context: Context,
  customerId: string,
  input: Input,
  addField?: string,
): Promise<void> {
  const uid = await changeDetails(services, context, customerId, input, addField)
  if (input.providerCustomerId !== undefined) services.wakeWorker()
  if (isForProvider(input)) await tryLink(services, uid)
}

const isForProvider = ({ name, email }: Input) => name !== undefined || email !== undefined

/**
 * Here only: the provider is told by whoever calls this, else by the worker. Returns the customer's uid. `addField` is the
 * caller's name for the products to add.
 */
export async function changeDetails(
  services: Services,
  context: Context,
  customerId: string,
  input: Input,
  addField = 'addCustomProductKeys',
): Promise<string> {
  const { addCustomProductKeys: addKeys = [], removeCustomProductKeys: removeKeys = [] } = input
  const both = addKeys.find((productKey) => removeKeys.includes(productKey))
  if (both !== undefined) {
    throw invalid(`${quote(both)} is in both addCustomProductKeys and removeCustomProductKeys.`)
  }
  const { providerCustomerId } = input
  const takeover =
    providerCustomerId === undefined
      ? undefined
      : await fetchTakeoverOf(
          services,
          context.principal.environment,
          toCustomerHash(context, customerId),
          providerCustomerId,
        )
  let uid = ''
  await changeCustomer(services, context, customerId, async (sql, state, moment) => {
    const { catalogue, now } = moment
    const before = state.customer
    uid = before.customerUid
    if (providerCustomerId !== undefined) checkTakeover(before.providerCustomerId, providerCustomerId)
    const isTakenOver = takeover !== undefined && before.providerCustomerId === undefined
    const copied = isTakenOver ? toCopied(takeover) : undefined
    const removed = getCustomProducts(catalogue, removeKeys, 'removeCustomProductKeys')
    const added = getAssignable(catalogue, addKeys, addField, state.assignments)
    const after = {
      ...before,
      name: input.name === undefined ? (before.name ?? copied?.name) : (input.name ?? undefined),
      email: input.email === undefined ? (before.email ?? copied?.email) : (input.email ?? undefined),
      metadata: input.metadata ?? before.metadata,
      usageStartedAt: input.usageStartedAt ?? before.usageStartedAt,
    }
    await updateCustomerRow(sql, uid, after)
    const subscriptions = isTakenOver
      ? await saveTakeover(sql, moment, before, takeover)
      : state.subscriptions
    if (isForProvider(input)) await setLinkDue(sql, uid, Date.now() + linkLeaseMs)
    const removedIds = new Set(removed.map((product) => product.productId))
    const newAssignments = added.map(toAssignment)
    await insertAssignments(sql, uid, newAssignments, now)
    await deleteAssignments(sql, uid, [...removedIds])
    const kept = state.assignments.filter(({ productId }) => !removedIds.has(productId))
    const assignments = [...kept, ...newAssignments.map((each) => ({ ...each, startedAt: now }))]
    const fallBack = decideFallBack(catalogue, state, { assignments, subscriptions }, now)
    if (fallBack) await setFallBack(sql, uid, fallBack)
    return {
      action: 'customer.update',
      before,
      after: {
        ...after,
        ...(isTakenOver ? { providerCustomerId } : {}),
        addedKeys: added.map((product) => product.productKey),
        removedKeys: removeKeys,
      },
    }
  })
  return uid
}
