// Serving the checkout page and taking its forms: paying, authenticating, and the way back to the seller.
import { authenticate, isOpen, type PaymentResult, pay } from '../checkout/completion.ts'
import { type Context, type ContextAccess, findObject, getObject } from '../context.ts'
import type { StoredSession } from '../hosted-objects.ts'
import type { StoredCustomer, StoredPrice, StoredProduct } from '../objects.ts'
import { authenticationPage, type CheckoutView, checkoutPage, endedPage } from './checkout.ts'
import type { FormBody, PageAnswer, PageRequest } from './page.ts'

async function readView(context: Context, session: StoredSession): Promise<CheckoutView> {
  const lines = []
  for (const { price: priceId, quantity } of session.internal.lines) {
    const price = await getObject<StoredPrice>(context, 'price', priceId)
    const product = await getObject<StoredProduct>(context, 'product', price.product)
    lines.push({ price, productName: product.name, quantity })
  }
  const customer =
    session.customer === null
      ? undefined
      : await findObject<StoredCustomer>(context, 'customer', session.customer)
  return { session, customer, lines, now: context.now }
}

async function toAnswer(
  context: Context,
  session: StoredSession,
  result: PaymentResult,
): Promise<PageAnswer> {
  if (result.outcome === 'paid') {
    return { redirect: session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id) }
  }
  const view = await readView(context, session)
  if (result.outcome === 'needs_action') return { page: authenticationPage(view), status: 200 }
  return { page: checkoutPage(view, result.message), status: 402 }
}

function ended(session: StoredSession | undefined): PageAnswer {
  return { page: endedPage(session), status: session === undefined ? 404 : 410 }
}

type Act = (context: Context, session: StoredSession) => Promise<PaymentResult>

function findAction(action: string, form: FormBody): Act | undefined {
  if (action === '') return (context, session) => pay(context, session, form.card_number ?? '')
  if (action === 'authenticate') {
    return (context, session) => authenticate(context, session, form.outcome === 'complete')
  }
  return undefined
}

export async function answerCheckout(access: ContextAccess, request: PageRequest): Promise<PageAnswer> {
  const { environment, id, action, form } = request
  const act = form === undefined ? undefined : findAction(action, form)
  if (act === undefined && (form !== undefined || action !== '')) return ended(undefined)
  const work = async (context: Context): Promise<PageAnswer> => {
    const session = await findObject<StoredSession>(context, 'checkout.session', id)
    if (session === undefined || !isOpen(session, context.now)) return ended(session)
    if (act !== undefined) return toAnswer(context, session, await act(context, session))
    return { page: checkoutPage(await readView(context, session)), status: 200 }
  }
  return act === undefined ? access.read(environment, work) : access.write(environment, work)
}
