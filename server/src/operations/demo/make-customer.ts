// One customer of the demo data: at the provider with its subscription, here with its usage and its bonuses.
import { getProduct, type Product } from '../../domain/catalogue/catalogue.ts'
import { demoAddOn } from '../../domain/demo/company.ts'
import type { DemoCustomer } from '../../domain/demo/customers.ts'
import { computeDemoUsage, toCreatedAt } from '../../domain/demo/usage.ts'
import { RequestError } from '../../domain/errors.ts'
import { noteDemoObject } from '../../storage/demo/demo.ts'
import { syncCustomer } from '../billing/sync-customer.ts'
import { createBonus } from '../bonuses/create-bonus.ts'
import { openContext } from '../context.ts'
import { createCustomer } from '../customers/create-customer.ts'
import { deleteCustomer } from '../customers/delete-customer.ts'
import { recordUsage } from '../usage/record-usage.ts'
import type { Maker } from './make-catalogue.ts'

const dayMs = 86_400_000
const trialLeftDays = 5
/** So many at once leave room in the lines for everybody else. */
const eventsAtOnce = 200

const mark = 'demo'

/** A customer of somebody's own under the same id is left alone, and so is one that was deleted meanwhile. */
export async function makeCustomer(maker: Maker, customer: DemoCustomer): Promise<void> {
  try {
    if (!(await ensure(maker, customer))) return
    await recordAll(maker, customer)
    for (const [index, { expiresInDays, ...bonus }] of (customer.bonuses ?? []).entries()) {
      const { madeAt } = maker.run
      const expiresAt = expiresInDays === undefined ? undefined : madeAt + expiresInDays * dayMs
      const input = { ...bonus, customerId: customer.customerId, expiresAt }
      await createBonus(maker.services, maker.context, input, `demo-${index}`)
    }
  } catch (error) {
    if (!(error instanceof RequestError) || error.kind !== 'missing') throw error
  }
}

/** False when it is not one of the demo's. */
async function ensure(maker: Maker, customer: DemoCustomer): Promise<boolean> {
  const { services, context, run } = maker
  const { environment } = context.principal
  const { customerId, name, email, plan } = customer
  const createdAt = toCreatedAt(customer, run.madeAt)
  const subscriber = await subscribe(maker, customer)
  const { isNew, view } = await createCustomer(services, context, {
    customerId,
    name,
    email,
    metadata: { [mark]: run.runId },
    createdAt,
    usageStartedAt: createdAt,
    ...(plan === 'enterprise' ? { customProductKeys: [plan] } : {}),
    ...(subscriber ? { providerCustomerId: subscriber.providerCustomerId } : {}),
    ifExists: 'return',
  })
  const { customerUid, metadata } = view.state.customer
  if (!isNew && metadata[mark] !== run.runId) return false
  const object = { runId: run.runId, kind: 'customer' as const, objectId: customerUid }
  if (!(await noteDemoObject(services.database.pool, environment, object))) {
    // Removed while it was made: it goes, too.
    await deleteCustomer(services, context, customerId)
    if (subscriber) await maker.owner.deleteCustomer(subscriber.providerCustomerId)
    return false
  }
  if (subscriber) await meetFate(maker, customer, subscriber)
  return true
}

type Subscriber = { providerCustomerId: string; providerSubscriptionId: string }

async function subscribe(maker: Maker, customer: DemoCustomer): Promise<Subscriber | undefined> {
  const { plan, name, email, isYearly = false, packs = 0, standing } = customer
  if (plan === 'free' || plan === 'enterprise') return undefined
  const { services, context, owner, run } = maker
  const { catalogue } = await openContext(services, context.principal)
  const findPrice = (productKey: string, interval: string) =>
    findPriceId(getProduct(catalogue, productKey), interval)
  return owner.createSubscriber(
    {
      name,
      email,
      metadata: { [mark]: run.runId },
      items: [
        { providerPriceId: findPrice(plan, isYearly ? 'year' : 'month'), quantity: 1 },
        ...(packs > 0 ? [{ providerPriceId: findPrice(demoAddOn, 'month'), quantity: packs }] : []),
      ],
      startedAt: toCreatedAt(customer, run.madeAt),
      ...(standing === 'trial' ? { trialEndsAt: run.madeAt + trialLeftDays * dayMs } : {}),
      ...(standing === 'leaving' ? { isSetToCancel: true } : {}),
    },
    toKey(maker, customer),
  )
}

const toKey = ({ run }: Maker, { customerId }: DemoCustomer) => `demo-${run.runId}-${customerId}`

function findPriceId({ prices, productKey }: Product, interval: string): string {
  const price = prices.find((each) => each.isActive && each.recurringInterval === interval)
  if (!price) throw new Error(`the demo product ${productKey} has no price by the ${interval}`)
  return price.providerPriceId
}

/** What befell it after it had subscribed; each happens once, however often it is asked for. */
async function meetFate(
  maker: Maker,
  customer: DemoCustomer,
  { providerCustomerId, providerSubscriptionId }: Subscriber,
): Promise<void> {
  const { owner, services, context } = maker
  const key = `${toKey(maker, customer)}-fate`
  if (customer.standing === 'gone') await owner.cancelSubscription(providerSubscriptionId, key)
  else if (customer.standing === 'failing') {
    await owner.failPayments(providerCustomerId, key)
    await owner.advanceSubscription(providerSubscriptionId, key)
  } else return
  await syncCustomer(services, context.principal.environment, providerCustomerId)
}

async function recordAll({ services, context, run }: Maker, customer: DemoCustomer): Promise<void> {
  const { customerId } = customer
  const events = computeDemoUsage(customer, run.madeAt)
  for (let at = 0; at < events.length; at += eventsAtOnce) {
    const some = events.slice(at, at + eventsAtOnce)
    await Promise.all(some.map((event) => recordUsage(services, context, { ...event, customerId })))
  }
}
