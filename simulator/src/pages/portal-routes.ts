// Serving the portal pages and taking their forms; each ends where its flow says, else on the page again, told what happened.
import { ApiError } from '../api/errors.ts'
import { type Context, type ContextAccess, findObject } from '../context.ts'
import type { StoredPortalSession } from '../hosted-objects.ts'
import { changeCard, changeSubscription, type PortalAction, readPortal } from '../portal/actions.ts'
import { applyConfirm, readConfirm } from '../portal/confirm.ts'
import type { FormBody, PageAnswer, PageRequest } from './page.ts'
import { portalClosedPage, portalPage, toPath } from './portal.ts'
import { confirmedPage, confirmPage } from './portal-confirm.ts'

const doneTexts = {
  card: 'Your card was saved.',
  cancel: 'Your subscription will end at the end of the period.',
  resume: 'Your subscription goes on.',
  switch: 'Your price was changed.',
  confirm: 'Your subscription was updated.',
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
    const status = error === undefined ? 200 : 402
    const done = error === undefined ? findDone(request.query.get('done')) : undefined
    const isConfirmed = request.query.get('done') === 'confirm'
    const confirm = isConfirmed ? undefined : await readConfirm(context, session)
    if (confirm !== undefined) return { page: confirmPage(session, confirm, error), status }
    if (session.flow?.type === 'subscription_update_confirm' && !isConfirmed) return closed
    return { page: portalPage(session, await readPortal(context, session), error, done), status }
  })
}

/** What a form did: the notice to show, or why it was refused. */
type Result = { done: Done } | { error: string }
type Act = (context: Context, session: StoredPortalSession) => Promise<Result>

const actions: PortalAction[] = ['cancel', 'resume', 'switch']

async function confirm(context: Context, session: StoredPortalSession, form: FormBody): Promise<Result> {
  if (form.card_number) {
    const error = await changeCard(context, session.customer, form.card_number)
    if (error !== undefined) return { error }
  }
  const view = await readConfirm(context, session)
  if (view === undefined) return { error: 'This subscription can no longer be changed by this link.' }
  if (!view.canPay) return { error: 'Please enter a card that can be charged.' }
  await applyConfirm(context, view)
  return { done: 'confirm' }
}

function findAction(name: string, form: FormBody): Act | undefined {
  if (name === 'confirm') return (context, session) => confirm(context, session, form)
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
    await changeSubscription(context, session, action, chosen)
    return { done: action }
  }
}

/** Where a finished form leads: where the flow it belongs to says, or back to the page. */
function toEnd(session: StoredPortalSession, done: Done): PageAnswer {
  const finished = {
    card: 'payment_method_update',
    cancel: 'subscription_cancel',
    resume: '',
    switch: 'subscription_update',
    confirm: 'subscription_update_confirm',
  }
  const end = session.flow?.type === finished[done] ? session.flow.after_completion : undefined
  if (end?.redirect) return { redirect: end.redirect.return_url }
  if (end?.hosted_confirmation) {
    return { page: confirmedPage(end.hosted_confirmation.custom_message), status: 200 }
  }
  return { redirect: `${toPath(session)}?done=${done}` }
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
    return toEnd(result.session, result.done)
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
