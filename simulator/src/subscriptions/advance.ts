// Lets everything happen that has fallen due by now: renewals, trial ends, failed payments, cancellations, expiries.
import { expireSession } from '../checkout/sessions.ts'
import { type Context, getObject } from '../context.ts'
import { computeCharge } from '../customers/payment-methods.ts'
import { saveAndEmit } from '../events/record.ts'
import type { StoredSession } from '../hosted-objects.ts'
import type { StoredCustomer, StoredSubscription } from '../objects.ts'
import { computePeriodLines } from './amounts.ts'
import { computePolicy } from './dunning.ts'
import { draftInvoice, issueInvoice, loadPrices } from './invoices.ts'
import { computeStep } from './lifecycle.ts'

const batchSize = 50

async function stepSubscription(context: Context, subscription: StoredSubscription): Promise<void> {
  const customer = await getObject<StoredCustomer>(context, 'customer', subscription.customer)
  const charge = await computeCharge(context, subscription)
  const step = computeStep(subscription, charge, computePolicy(subscription, customer))
  if (step === undefined) return
  const { event, billedAt } = step
  if (billedAt === undefined) return saveAndEmit(context, event, step.subscription, subscription)
  context.faults.countCharge()
  const lines = computePeriodLines(step.subscription, await loadPrices(context, step.subscription))
  const invoice = await draftInvoice(context, step.subscription, {
    reason: 'subscription_cycle',
    // Of several items only those are charged whose period begins now.
    lines: lines.filter(({ period }) => period.start === billedAt),
    isPaid: charge === 'paid',
    at: billedAt,
  })
  const billed = { ...step.subscription, latest_invoice: invoice.id }
  await saveAndEmit(context, event, billed, subscription)
  await issueInvoice(context, invoice)
}

export async function hasDue(context: Context): Promise<boolean> {
  return (await context.store.findDue(context.now, 1)).length > 0
}

/** One step for each of the earliest due objects. */
export async function advanceBatch(context: Context): Promise<void> {
  const due = await context.store.findDue(context.now, batchSize)
  for (const body of due) {
    if (body.object === 'subscription') await stepSubscription(context, body as unknown as StoredSubscription)
    else await expireSession(context, body as unknown as StoredSession)
  }
}
