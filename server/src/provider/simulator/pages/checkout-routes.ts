// Serving the checkout page and taking its forms: paying, authenticating, and the way back to the seller.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { authenticate, isOpen, type PaymentResult, pay } from '../checkout-completion.ts'
import type { StoredCustomer, StoredPrice, StoredProduct, StoredSession } from '../objects.ts'
import { findObject, getObject, type World } from '../world.ts'
import { authenticationPage, type CheckoutView, checkoutPage, endedPage } from './checkout.ts'
import { type FormBody, isEnvironment, type PageOptions, sendPage } from './routes.ts'

type Params = { environment: string; id: string }

async function readView(world: World, session: StoredSession): Promise<CheckoutView> {
  const lines = []
  for (const { price: priceId, quantity } of session.internal.lines) {
    const price = await getObject<StoredPrice>(world, 'price', priceId)
    const product = await getObject<StoredProduct>(world, 'product', price.product)
    lines.push({ price, productName: product.name, quantity })
  }
  const customer =
    session.customer === null
      ? undefined
      : await findObject<StoredCustomer>(world, 'customer', session.customer)
  return { session, customer, lines, now: world.now }
}

/** The page a form leads to, or the address it sends the customer on to. */
type Outcome = { page: string; status: number } | { redirect: string }

async function toOutcome(world: World, session: StoredSession, result: PaymentResult): Promise<Outcome> {
  if (result.outcome === 'paid') {
    return { redirect: session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id) }
  }
  const view = await readView(world, session)
  if (result.outcome === 'needs_action') return { page: authenticationPage(view), status: 200 }
  return { page: checkoutPage(view, result.message), status: 402 }
}

function ended(session: StoredSession | undefined): Outcome {
  return { page: endedPage(session), status: session === undefined ? 404 : 410 }
}

function answer(reply: FastifyReply, outcome: Outcome): FastifyReply {
  return 'redirect' in outcome
    ? reply.redirect(outcome.redirect, 303)
    : sendPage(reply, outcome.page, outcome.status)
}

export function createCheckoutRoutes(app: FastifyInstance, { inWorld, readWorld }: PageOptions): void {
  // Session links are secrets for as long as they live, so their requests are not logged.
  const quiet = { logLevel: 'silent' } as const

  async function takeForm(
    { environment, id }: Params,
    act: (world: World, session: StoredSession) => Promise<PaymentResult>,
  ): Promise<Outcome> {
    if (!isEnvironment(environment)) return ended(undefined)
    return inWorld(environment, async (world) => {
      const session = await findObject<StoredSession>(world, 'checkout.session', id)
      if (session === undefined || !isOpen(session, world.now)) return ended(session)
      return toOutcome(world, session, await act(world, session))
    })
  }

  app.get<{ Params: Params }>('/:environment/checkout/:id', quiet, async ({ params }, reply) => {
    const { environment, id } = params
    if (!isEnvironment(environment)) return answer(reply, ended(undefined))
    const outcome = await readWorld(environment, async (world): Promise<Outcome> => {
      const session = await findObject<StoredSession>(world, 'checkout.session', id)
      if (session === undefined || !isOpen(session, world.now)) return ended(session)
      return { page: checkoutPage(await readView(world, session)), status: 200 }
    })
    return answer(reply, outcome)
  })

  app.post<{ Params: Params; Body: FormBody }>(
    '/:environment/checkout/:id',
    quiet,
    async ({ params, body }, reply) =>
      answer(reply, await takeForm(params, (world, session) => pay(world, session, body.card_number ?? ''))),
  )

  app.post<{ Params: Params; Body: FormBody }>(
    '/:environment/checkout/:id/authenticate',
    quiet,
    async ({ params, body }, reply) =>
      answer(
        reply,
        await takeForm(params, (world, session) => authenticate(world, session, body.outcome === 'complete')),
      ),
  )
}
