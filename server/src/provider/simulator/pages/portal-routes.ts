// Serving the portal page and taking its forms; each ends on the page again, told what happened.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../errors.ts'
import type { StoredPortalSession } from '../objects.ts'
import { changeCard, changeSubscription, type PortalAction, readPortal } from '../portal.ts'
import { findObject, type World } from '../world.ts'
import { portalClosedPage, portalPage, toPath } from './portal.ts'
import { type FormBody, isEnvironment, type PageOptions, sendPage } from './routes.ts'

type Params = { environment: string; id: string }

const doneTexts = {
  card: 'Your card was saved.',
  cancel: 'Your subscription will end at the end of the period.',
  resume: 'Your subscription goes on.',
  switch: 'Your price was changed.',
}
type Done = keyof typeof doneTexts

const isDone = (name: string | undefined): name is Done =>
  name !== undefined && Object.hasOwn(doneTexts, name)

async function findOpen(world: World, id: string): Promise<StoredPortalSession | undefined> {
  const session = await findObject<StoredPortalSession>(world, 'billing_portal.session', id)
  return session !== undefined && session.internal.expiresAt > Date.now() ? session : undefined
}

/** What a form did: the notice to show, or why it was refused. */
type Result = { done: Done; path: string } | { error: string } | 'closed'

export function createPortalRoutes(app: FastifyInstance, { inWorld, readWorld }: PageOptions): void {
  const quiet = { logLevel: 'silent' } as const

  async function showPage({ environment, id }: Params, reply: FastifyReply, error?: string, done?: Done) {
    if (!isEnvironment(environment)) return sendPage(reply, portalClosedPage(), 404)
    const page = await readWorld(environment, async (world) => {
      const session = await findOpen(world, id)
      if (session === undefined) return undefined
      return portalPage(session, await readPortal(world, session.customer), error, done && doneTexts[done])
    })
    if (page === undefined) return sendPage(reply, portalClosedPage(), 404)
    return sendPage(reply, page, error === undefined ? 200 : 402)
  }

  async function takeForm(
    params: Params,
    reply: FastifyReply,
    act: (world: World, session: StoredPortalSession) => Promise<Result>,
  ) {
    const { environment, id } = params
    if (!isEnvironment(environment)) return sendPage(reply, portalClosedPage(), 404)
    let result: Result
    try {
      result = await inWorld(environment, async (world): Promise<Result> => {
        const session = await findOpen(world, id)
        return session === undefined ? 'closed' : act(world, session)
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      result = { error: error.message }
    }
    if (result === 'closed') return sendPage(reply, portalClosedPage(), 404)
    if ('error' in result) return showPage(params, reply, result.error)
    return reply.redirect(`${result.path}?done=${result.done}`, 303)
  }

  app.get<{ Params: Params; Querystring: { done?: string } }>(
    '/:environment/portal/:id',
    quiet,
    ({ params, query }, reply) =>
      showPage(params, reply, undefined, isDone(query.done) ? query.done : undefined),
  )

  app.post<{ Params: Params; Body: FormBody }>(
    '/:environment/portal/:id/payment-method',
    quiet,
    ({ params, body }, reply) =>
      takeForm(params, reply, async (world, session) => {
        const error = await changeCard(world, session.customer, body.card_number ?? '')
        return error === undefined ? { done: 'card', path: toPath(session) } : { error }
      }),
  )

  const actions: PortalAction[] = ['cancel', 'resume', 'switch']
  for (const action of actions) {
    app.post<{ Params: Params; Body: FormBody }>(
      `/:environment/portal/:id/${action}`,
      quiet,
      ({ params, body }, reply) =>
        takeForm(params, reply, async (world, session) => {
          const chosen = { subscriptionId: body.subscription ?? '', priceId: body.price ?? '' }
          await changeSubscription(world, session.customer, action, chosen)
          return { done: action, path: toPath(session) }
        }),
    )
  }
}
