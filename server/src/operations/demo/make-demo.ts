// Makes the demo data of the test environment through the same operations as everybody's: a catalogue, forty customers, ninety days
// of usage. What was cut off goes on where it was: everything is counted back from the instant at which it began.
import { randomUUID } from 'node:crypto'
import { demoFeatures, demoProducts } from '../../domain/demo/company.ts'
import { demoCustomers } from '../../domain/demo/customers.ts'
import { conflict } from '../../domain/errors.ts'
import { type Principal, servicePrincipal } from '../../domain/principal.ts'
import {
  beginDemo,
  claimDemo,
  type DemoRun,
  findDemo,
  finishDemo,
  noteDemoProgress,
} from '../../storage/demo/demo.ts'
import { callProvider } from '../billing/provider-call.ts'
import { openContext } from '../context.ts'
import type { Services } from '../services.ts'
import { type Maker, makeCatalogue } from './make-catalogue.ts'
import { makeCustomer } from './make-customer.ts'

export type MadeDemo = { features: number; products: number; customers: number }

// The simulated provider writes one thing at a time; more at once would only wait there.
const customersAtOnce = 8
const leaseMs = 10_000

/**
 * Catalogue and first customer are there when this is answered; the rest is made by the worker. `isFirstStart`: only where there was
 * never any, or where it was cut off, and undefined when there is nothing to do; asked for by somebody, that is a conflict.
 */
export async function makeDemo(
  services: Services,
  principal: Principal,
  isFirstStart = false,
): Promise<MadeDemo | undefined> {
  const { environment } = principal
  const owner = services.accountOwners[environment]
  if (!owner || environment !== 'test') {
    if (isFirstStart) return undefined
    throw conflict('demo_needs_simulator', 'Demo data needs the simulated provider of the test environment.')
  }
  const context = await openContext(services, principal)
  const run = await beginOrGoOn(services, principal, context.now, isFirstStart)
  if (!run) return undefined
  const begin = () => makeFirst({ services, context, owner, run })
  // A request is answered in time, whatever the provider does; a start takes the time it takes.
  return isFirstStart ? begin() : callProvider(begin)
}

async function makeFirst(maker: Maker): Promise<MadeDemo> {
  const { services, context, run } = maker
  const { environment } = context.principal
  await makeCatalogue(maker)
  const { runId, customersMade } = run
  const first = demoCustomers.slice(customersMade, 1)
  for (const customer of first) await makeCustomer(maker, customer)
  const progress = { runId, customersMade: customersMade + first.length, dueAt: Date.now() }
  await noteDemoProgress(services.database.pool, environment, progress)
  services.wakeWorker()
  return {
    features: demoFeatures.length,
    products: demoProducts.length,
    customers: demoCustomers.length,
  }
}

async function beginOrGoOn(
  { database }: Services,
  { environment }: Principal,
  now: number,
  isFirstStart: boolean,
): Promise<DemoRun | undefined> {
  const known = await findDemo(database.pool, environment)
  if (known && !known.isRemoved && !known.isFinished) return known
  if (known && isFirstStart) return undefined
  const begun = await beginDemo(database.pool, environment, randomUUID(), now)
  if (begun || isFirstStart) return begun
  throw known && !known.isRemoved
    ? conflict('demo_present', 'The demo data is there already.')
    : conflict('environment_not_empty', 'Demo data is made in an empty test environment only.')
}

/** Makes some more customers; says how many. */
export async function resumeDemo(services: Services): Promise<number> {
  const { pool } = services.database
  const now = Date.now()
  const run = await claimDemo(pool, now, now + leaseMs)
  const owner = run && services.accountOwners[run.environment]
  if (!owner) return 0
  const { environment, runId } = run
  const context = await openContext(services, servicePrincipal(environment, 'demo data'))
  const maker: Maker = { services, context, owner, run }
  const some = demoCustomers.slice(run.customersMade, run.customersMade + customersAtOnce)
  await Promise.all(some.map((customer) => makeCustomer(maker, customer)))
  const customersMade = run.customersMade + some.length
  await noteDemoProgress(pool, environment, { runId, customersMade, dueAt: Date.now() })
  if (customersMade >= demoCustomers.length) await finishDemo(pool, environment, runId, Date.now())
  return some.length
}
