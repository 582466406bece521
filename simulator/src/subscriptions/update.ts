// The endpoint that changes a subscription: items, trial, cancellation, payment method, pausing; and what is charged at once.
import { z } from 'zod'
import { ApiError, declined } from '../api/errors.ts'
import { bool, integer, listOf, mergeMetadata, oneOf, text, timestamp } from '../api/form.ts'
import { type Context, getObject } from '../context.ts'
import { computeCharge } from '../customers/payment-methods.ts'
import { saveAndEmit } from '../events/record.ts'
import type { StoredCustomer, StoredSubscription } from '../objects.ts'
import { computeProration, type InvoiceLine, selectDueNow, sumLines } from './amounts.ts'
import {
  cancelAt,
  cancelAtPeriodEnd,
  changeItems,
  computePeriodEnd,
  keepRunning,
  restartCycle,
} from './change.ts'
import { computePolicy } from './dunning.ts'
import { draftInvoice, issueInvoice, loadPrices } from './invoices.ts'
import { settle } from './lifecycle.ts'
import { cancelTime, checkMethod, cycleAnchor, quantity, sharedParams } from './params.ts'

const empty = z.literal('').transform(() => null)
const details = z.strictObject({ comment: text.optional(), feedback: text.optional() })

export const updateParams = z.strictObject({
  ...sharedParams,
  items: listOf(
    z.strictObject({
      id: text.optional(),
      price: text.optional(),
      quantity: quantity.optional(),
      deleted: bool.optional(),
    }),
    20,
  ).optional(),
  billing_cycle_anchor: cycleAnchor.optional(),
  cancel_at: z.union([empty, cancelTime]).optional(),
  cancellation_details: details.optional(),
  trial_end: z.union([z.literal('now'), timestamp]).optional(),
  proration_date: integer.optional(),
  pause_collection: z
    .union([
      empty,
      z.strictObject({
        behavior: oneOf('keep_as_draft', 'mark_uncollectible', 'void'),
        resumes_at: timestamp.optional(),
      }),
    ])
    .optional(),
})
type UpdateParams = z.infer<typeof updateParams>

async function changeTrial(
  context: Context,
  subscription: StoredSubscription,
  trialEnd: 'now' | number,
): Promise<StoredSubscription> {
  if (trialEnd === 'now') {
    if (subscription.status !== 'trialing') return subscription
    const isPaid = (await computeCharge(context, subscription)) === 'paid'
    const status = isPaid ? 'active' : 'past_due'
    return restartCycle({ ...subscription, trial_end: context.now, status }, context.now)
  }
  const data = subscription.items.data.map((item) => ({ ...item, current_period_end: trialEnd }))
  const items = { ...subscription.items, data }
  return { ...subscription, status: 'trialing', trial_end: trialEnd, billing_cycle_anchor: trialEnd, items }
}

function changeEnding(
  subscription: StoredSubscription,
  { cancel_at_period_end: flag, cancel_at: at }: UpdateParams,
  now: number,
): StoredSubscription {
  if (flag === true) return cancelAtPeriodEnd(subscription, now)
  if (at === null || (flag === false && at === undefined)) return keepRunning(subscription)
  if (at === undefined) return subscription
  const ending = cancelAt(subscription, typeof at === 'number' ? at : computePeriodEnd(subscription), now)
  return { ...ending, cancel_at_period_end: false }
}

async function applyParams(
  context: Context,
  before: StoredSubscription,
  input: UpdateParams,
): Promise<StoredSubscription> {
  let next: StoredSubscription = { ...before, metadata: mergeMetadata(before.metadata, input.metadata) }
  if (input.items !== undefined) next = await changeItems(context, next, input.items)
  if (input.billing_cycle_anchor?.type === 'now') next = restartCycle(next, context.now)
  if (input.trial_end !== undefined) next = await changeTrial(context, next, input.trial_end)
  next = changeEnding(next, input, context.now)
  if (input.default_payment_method) {
    await checkMethod(context, before.customer, input.default_payment_method)
  }
  const { pause_collection: pause, cancellation_details: why } = input
  return {
    ...next,
    ...(input.default_payment_method !== undefined && {
      default_payment_method: input.default_payment_method,
    }),
    ...(input.description !== undefined && { description: input.description }),
    ...(input.trial_settings !== undefined && { trial_settings: input.trial_settings }),
    ...(why !== undefined && { cancellation_details: { ...next.cancellation_details, ...why } }),
    ...(pause !== undefined && {
      pause_collection: pause && { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null },
    }),
  } as StoredSubscription
}

/** A change that cannot be paid for is made all the same, and payment is tried again for a while. */
async function settleChange(
  context: Context,
  subscription: StoredSubscription,
  isPaid: boolean,
): Promise<StoredSubscription> {
  const customer = await getObject<StoredCustomer>(context, 'customer', subscription.customer)
  const policy = computePolicy(subscription, customer)
  return settle(subscription, context.now, isPaid ? 'paid' : 'failed', policy)
}

/** Keeps a changed subscription, with an invoice of what the change costs where that is charged at once. */
export async function saveChange(
  context: Context,
  before: StoredSubscription,
  next: StoredSubscription,
  { lines, mayFail }: { lines: InvoiceLine[]; mayFail: boolean },
): Promise<StoredSubscription> {
  if (lines.length === 0) {
    await saveAndEmit(context, 'customer.subscription.updated', next, before)
    return next
  }
  const isPaid = (await computeCharge(context, next)) === 'paid'
  if (sumLines(lines) > 0) context.faults.countCharge()
  const invoice = await draftInvoice(context, next, {
    reason: 'subscription_update',
    lines,
    isPaid,
    at: context.now,
  })
  if (invoice.status !== 'paid' && !mayFail) throw declined()
  const isCharged = sumLines(lines) > 0 && next.status !== 'trialing'
  const settled = isCharged ? await settleChange(context, next, invoice.status === 'paid') : next
  const billed = { ...settled, latest_invoice: invoice.id }
  await saveAndEmit(context, 'customer.subscription.updated', billed, before)
  await issueInvoice(context, invoice)
  return billed
}

export async function updateSubscription(
  context: Context,
  id: string,
  input: UpdateParams,
): Promise<StoredSubscription> {
  const before = await getObject<StoredSubscription>(context, 'subscription', id)
  const allowed = ['metadata', 'cancellation_details']
  if (before.ended_at !== null && Object.keys(input).some((key) => !allowed.includes(key))) {
    throw new ApiError('A canceled subscription can only update its cancellation_details and metadata.')
  }
  const next = await applyParams(context, before, input)
  const prorated = computeProration(before, next, await loadPrices(context, before, next), context.now)
  const lines = selectDueNow(prorated, input.proration_behavior ?? 'create_prorations')
  return saveChange(context, before, next, {
    lines,
    mayFail: input.payment_behavior !== 'error_if_incomplete',
  })
}
