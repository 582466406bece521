// The change that a portal link asks its customer to confirm: what it would make of the subscription, what is due now, and
// doing it.
import { type Context, findObject, getObject } from '../context.ts'
import { computeCharge } from '../customers/payment-methods.ts'
import type { StoredPortalConfiguration, StoredPortalSession, UpdateConfirm } from '../hosted-objects.ts'
import type { StoredCustomer, StoredPrice, StoredProduct, StoredSubscription } from '../objects.ts'
import { computeProration, type InvoiceLine, selectDueNow, sumLines } from '../subscriptions/amounts.ts'
import { changeItems, restartCycle } from '../subscriptions/change.ts'
import { computeDue, loadPrices } from '../subscriptions/invoices.ts'
import { saveChange } from '../subscriptions/update.ts'

type Side = { price: StoredPrice; productName: string; quantity: number }

export type ConfirmView = {
  before: StoredSubscription
  next: StoredSubscription
  from: Side
  to: Side
  lines: InvoiceLine[]
  /** After what is held in the customer's favour. */
  amountDue: number
  /** Whether what is due can be charged to what is saved. */
  canPay: boolean
}

async function readSide(context: Context, { items }: StoredSubscription): Promise<Side> {
  const item = items.data[0]
  const price = await getObject<StoredPrice>(context, 'price', item?.price ?? '')
  const product = await getObject<StoredProduct>(context, 'product', price.product)
  return { price, productName: product.name, quantity: item?.quantity ?? 1 }
}

async function computeNext(
  context: Context,
  before: StoredSubscription,
  { features }: StoredPortalConfiguration,
  confirm: UpdateConfirm,
): Promise<StoredSubscription> {
  const { trial_update_behavior: trial, billing_cycle_anchor: anchor } = features.subscription_update
  const changed = await changeItems(context, before, confirm.items)
  if (before.status === 'trialing') {
    if (trial === 'continue_trial') return changed
    return restartCycle({ ...changed, status: 'active', trial_end: context.now }, context.now)
  }
  return anchor === 'now' ? restartCycle(changed, context.now) : changed
}

/** Undefined when the subscription is no longer what the link was made for. */
export async function readConfirm(
  context: Context,
  session: StoredPortalSession,
): Promise<ConfirmView | undefined> {
  const confirm = session.flow?.subscription_update_confirm
  if (!confirm) return undefined
  const before = await findObject<StoredSubscription>(context, 'subscription', confirm.subscription)
  const isHeld = before?.items.data.some((item) => item.id === confirm.items[0]?.id)
  if (before === undefined || !isHeld || before.ended_at !== null) return undefined
  const name = 'billing_portal.configuration'
  const configuration = await getObject<StoredPortalConfiguration>(context, name, session.configuration)
  const next = await computeNext(context, before, configuration, confirm)
  const prorated = computeProration(before, next, await loadPrices(context, before, next), context.now)
  const lines = selectDueNow(prorated, configuration.features.subscription_update.proration_behavior)
  const customer = await getObject<StoredCustomer>(context, 'customer', before.customer)
  const { amountDue } = computeDue(sumLines(lines), customer.balance ?? 0)
  return {
    before,
    next,
    from: await readSide(context, before),
    to: await readSide(context, next),
    lines,
    amountDue,
    canPay: amountDue === 0 || (await computeCharge(context, before)) === 'paid',
  }
}

/** Same subscription, new price and quantity; what is due is charged first, and without that nothing changes. */
export async function applyConfirm(context: Context, view: ConfirmView): Promise<StoredSubscription> {
  return saveChange(context, view.before, view.next, { lines: view.lines, mayFail: false })
}
