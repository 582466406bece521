// Updates a customer's details and adds or removes custom products.
import type { Caller } from '../../domain/caller.ts'
import { invalid, quote } from '../../domain/errors.ts'
import { setLinkDue } from '../../storage/billing/provider-customers.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import { deleteAssignments, insertAssignments, updateCustomerRow } from '../../storage/customers/customers.ts'
import { linkLeaseMs, tryLink } from '../billing/link-customer.ts'
import type { Services } from '../services.ts'
import { changeCustomer } from './change-customer.ts'
import { getAssignable, getCustomProduct, toAssignment } from './create-customer.ts'

type Input = {
  name?: string | undefined
  email?: string | undefined
  usageStartedAt?: number | undefined
  addCustomProductKeys?: string[] | undefined
  removeCustomProductKeys?: string[] | undefined
}

export async function updateCustomer(
  services: Services,
  caller: Caller,
  customerId: string,
  input: Input,
): Promise<void> {
  await changeDetails(services, caller, customerId, input)
  if (isForProvider(input)) await tryLink(services, customerUid(caller.environment, customerId))
}

const isForProvider = ({ name, email }: Input) => name !== undefined || email !== undefined

/** Here only: the provider is told by whoever calls this, else by the worker. */
export async function changeDetails(
  services: Services,
  caller: Caller,
  customerId: string,
  input: Input,
): Promise<void> {
  const { addCustomProductKeys: addKeys = [], removeCustomProductKeys: removeKeys = [] } = input
  const both = addKeys.find((productKey) => removeKeys.includes(productKey))
  if (both !== undefined) {
    throw invalid(`${quote(both)} is in both addCustomProductKeys and removeCustomProductKeys.`)
  }
  const catalogue = await services.catalogues.get(caller.environment, caller.catalogueRevision)
  const removed = removeKeys.map((productKey) =>
    getCustomProduct(catalogue, productKey, 'removeCustomProductKeys'),
  )
  await changeCustomer(services, caller, customerId, async (sql, state) => {
    const held = new Set(state.assignments.map((assignment) => assignment.productId))
    // Adding what is held is no error, even when it has been archived since.
    const newKeys = addKeys.filter((productKey) => {
      const product = getCustomProduct(catalogue, productKey, 'addCustomProductKeys')
      return !held.has(product.productId)
    })
    const added = getAssignable(catalogue, newKeys, 'addCustomProductKeys')
    const before = state.customer
    const after = {
      ...before,
      name: input.name ?? before.name,
      email: input.email ?? before.email,
      usageStartedAt: input.usageStartedAt ?? before.usageStartedAt,
    }
    await updateCustomerRow(sql, before.customerUid, after)
    if (isForProvider(input)) await setLinkDue(sql, before.customerUid, Date.now() + linkLeaseMs)
    await insertAssignments(sql, before.customerUid, added.map(toAssignment), caller.now)
    await deleteAssignments(
      sql,
      before.customerUid,
      removed.map((product) => product.productId),
    )
    return {
      action: 'customer.update',
      before,
      after: { ...after, addedKeys: newKeys, removedKeys: removeKeys },
    }
  })
}
