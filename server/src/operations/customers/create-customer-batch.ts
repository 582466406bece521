// Creates many customers in one transaction; the payment provider is told of them in the background.
import { getAssignable, toAssignment } from '../../domain/catalogue/assignable-products.ts'
import type { Catalogue, Product } from '../../domain/catalogue/catalogue.ts'
import { RequestError } from '../../domain/errors.ts'
import type { Moment } from '../../domain/ledger/account.ts'
import { insertAuditEntries } from '../../storage/audit/audit-log.ts'
import { setLinkDue } from '../../storage/billing/provider-customers.ts'
import { makeCustomerUid } from '../../storage/customers/customer-uid.ts'
import type { NewCustomer } from '../../storage/customers/customers.ts'
import { insertCustomers, insertManyAssignments } from '../../storage/customers/insert-customers.ts'
import type { Sql } from '../../storage/database.ts'
import { type Context, inMoment, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'
import { type createCustomer, idTaken } from './create-customer.ts'
import { changeDetails } from './update-customer.ts'

type Input = Omit<Parameters<typeof createCustomer>[2], 'providerCustomerId'>

/** Of one customer of a batch: whether it was made now, or why not. */
export type BatchOutcome = { customerId: string; isNew: boolean } | Error

// Each takes a connection and a turn: others who change customers are not to wait behind a hundred.
const updatesAtOnce = 4

export async function createCustomerBatch(
  services: Services,
  context: Context,
  inputs: Input[],
): Promise<BatchOutcome[]> {
  const hashes = inputs.map(({ customerId }) => toCustomerHash(context, customerId))
  const work = (sql: Sql, moment: Moment) => addCustomers(sql, moment, context, inputs, hashes)
  // One turn: a batch takes one connection, however many it makes.
  const outcomes = await services.customerTurns(hashes[0] ?? '', () => inMoment(services, context, { work }))
  const open = outcomes.flatMap((outcome, index) => (outcome === undefined ? [index] : []))
  const settle = async () => {
    for (let index = open.shift(); index !== undefined; index = open.shift())
      outcomes[index] = await meetExisting(services, context, inputs[index] as Input)
  }
  await Promise.all(Array.from({ length: updatesAtOnce }, settle))
  return outcomes as BatchOutcome[]
}

/** Undefined for those whose id is taken. */
async function addCustomers(
  sql: Sql,
  { catalogue, now }: Moment,
  { principal }: Context,
  inputs: Input[],
  hashes: string[],
): Promise<(BatchOutcome | undefined)[]> {
  const { environment } = principal
  const found = inputs.map(({ customProductKeys = [] }) => findAssignable(catalogue, customProductKeys))
  const candidates = inputs.flatMap((input, index) => {
    const products = found[index]
    const customerHash = hashes[index] as string
    if (products instanceof Error || products === undefined) return []
    const customer = toCustomer(input, customerHash, environment, now)
    return { index, customer, products }
  })
  const made = await insertCustomers(
    sql,
    environment,
    now,
    candidates.map(({ customer }) => customer),
  )
  const added = candidates.filter(({ customer }) => made.has(customer.customerUid))
  await insertManyAssignments(
    sql,
    now,
    added.flatMap(({ customer: { customerUid }, products }) =>
      products.map((product) => ({ customerUid, ...toAssignment(product) })),
    ),
  )
  const entries = added.map(({ customer, products }) => ({
    action: 'customer.create',
    subject: customer.customerId,
    customerUid: customer.customerUid,
    after: { ...customer, customProductKeys: products.map(({ productKey }) => productKey) },
  }))
  await insertAuditEntries(sql, { principal, now }, entries)
  const outcomes = found.map((each) => (each instanceof Error ? each : undefined))
  const isNew = new Map(added.map(({ index, customer: { customerId } }) => [index, customerId]))
  return outcomes.map((outcome, index) => {
    const customerId = isNew.get(index)
    return customerId === undefined ? outcome : { customerId, isNew: true }
  })
}

function findAssignable(catalogue: Catalogue, productKeys: string[]): Product[] | Error {
  try {
    return getAssignable(catalogue, productKeys, 'customProductKeys')
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
}

const toCustomer = (
  { customerId, name, email, metadata = {}, usageStartedAt }: Input,
  customerHash: string,
  environment: NewCustomer['environment'],
  now: number,
): NewCustomer => ({
  customerUid: makeCustomerUid(customerHash),
  customerHash,
  environment,
  customerId,
  name,
  email,
  metadata,
  createdAt: now,
  usageStartedAt: usageStartedAt ?? now,
})

/** As for one customer: what was sent is set and products are added, unless it is to be left as it is. */
async function meetExisting(
  services: Services,
  context: Context,
  { ifExists, customProductKeys, customerId, ...details }: Input,
): Promise<BatchOutcome> {
  if (ifExists === 'return') return { customerId, isNew: false }
  if (ifExists === undefined) return idTaken(customerId)
  try {
    const change = { ...details, addCustomProductKeys: customProductKeys }
    const uid = await changeDetails(services, context, customerId, change, 'customProductKeys')
    const isForProvider = details.name !== undefined || details.email !== undefined
    if (isForProvider) await setLinkDue(services.database.pool, uid, Date.now())
    return { customerId, isNew: false }
  } catch (error) {
    return error as Error
  }
}
