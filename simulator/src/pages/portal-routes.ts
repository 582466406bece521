// Serving the portal page and taking its forms; each ends on the page again, told what happened.
import { ApiError } from '../api/errors.ts'
import { type Context, type ContextAccess, findObject } from '../context.ts'
import type { StoredPortalSession } from '../objects.ts'
import { changeCard, changeSubscription, type PortalAction, readPortal } from '../portal/actions.ts'
import type { FormBody, PageAnswer, PageRequest } from './page.ts'
import { portalClosedPage, portalPage, toPath } from './portal.ts'

const doneTexts = {
  card: 'Your card was saved.',
  cancel: 'Your subscription will end at the end of the period.',
  resume: 'Your subscription goes on.',
  switch: 'Your price was changed.',
}
type Done = keyof typeof doneTexts

const findDone = (name: string | null): string | undefined =>
  name !== null && Object.hasOwn(doneTexts, name) ? doneTexts[name as Done] : undefined

const closed: PageAnswer = { page: portalClosedPage(), status: 404 }

async function findOpen(context: Context, id: string): Promise<StoredPortalSession | undefined> {
  const session = await findObject<StoredPortalSession>(context, 'billing_portal.session', id)
  return session !== undefined && session.internal.expiresAt > Date.now() ? session : undefined
}

async function show(access: ContextAccess, request: PageRequest, error?: string): Promise<PageAnswer> {
  return access.read(request.environment, async (context): Promise<PageAnswer> => {
    const session = await findOpen(context, request.id)
    if (session === undefined) return closed
    const view = await readPortal(context, session.customer)
    const done = error === undefined ? findDone(request.query.get('done')) : undefined
    return { page: portalPage(session, view, error, done), status: error === undefined ? 200 : 402 }
  })
}

/** What a form did: the notice to show, or why it was refused. */
type Result = { done: Done } | { error: string }
type Act = (context: Context, session: StoredPortalSession) => Promise<Result>

const actions: PortalAction[] = ['cancel', 'resume', 'switch']

function findAction(name: string, form: FormBody): Act | undefined {
  if (name === 'payment-method') {
    return async (context, session) => {
      const error = await changeCard(context, session.customer, form.card_number ?? '')
      return error === undefined ? { done: 'card' } : { error }
    }
  }
  const action = actions.find((one) => one === name)
  if (action === undefined) return undefined
  return async (context, session) => {
    const chosen = { subscriptionId: form.subscription ?? '', priceId: form.price ?? '' }
    await changeSubscription(context, session.customer, action, chosen)
    return { done: action }
  }
}

async function act(access: ContextAccess, request: PageRequest, action: Act): Promise<PageAnswer> {
  const { environment, id } = request
  try {
    const result = await access.write(environment, async (context) => {
      const session = await findOpen(context, id)
      return session === undefined ? undefined : { session, ...(await action(context, session)) }
    })
    if (result === undefined) return closed
    if ('error' in result) return show(access, request, result.error)
    return { redirect: `${toPath(result.session)}?done=${result.done}` }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return show(access, request, error.message)
  }
}

export async function answerPortal(access: ContextAccess, request: PageRequest): Promise<PageAnswer> {
  const { form, action } = request
  if (form === undefined) return action === '' ? show(access, request) : closed
  const found = findAction(action, form)
  return found === undefined ? closed : act(access, request, found)
}
