// Keeping changed objects and telling of them: each event is stored and its webhook owed.
import { render } from '../api/render.ts'
import type { Body, Context } from '../context.ts'
import { newId, type StoredSession, type StoredSubscription } from '../objects.ts'
import type { StoredBody } from '../store/store.ts'
import { computeDueAt } from '../subscriptions/lifecycle.ts'

function toDueAt(body: Body): number | null {
  if (body.object === 'subscription') return computeDueAt(body as StoredSubscription)
  const session = body as StoredSession
  return body.object === 'checkout.session' && session.status === 'open' ? session.expires_at : null
}

export async function save(context: Context, body: Body): Promise<void> {
  const { customer, product } = body as { customer?: string | null; product?: string }
  await context.store.saveObject(body as StoredBody, {
    owner: customer ?? product ?? null,
    dueAt: toDueAt(body),
  })
}

function computeChanges(before: Body, after: Body): Record<string, unknown> {
  const now = after as Body & Record<string, unknown>
  return Object.fromEntries(
    Object.entries(before).filter(
      ([field, value]) => field !== 'internal' && JSON.stringify(now[field]) !== JSON.stringify(value),
    ),
  )
}

/** Stores an event and owes its webhook. Events are a log, so they carry real time, whatever the test clock says. */
export async function emit(context: Context, type: string, body: Body, before?: Body): Promise<void> {
  const [object] = await render(context, [body])
  const nowMs = Date.now()
  const event = {
    id: newId('evt_1'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(nowMs / 1000),
    livemode: context.environment === 'live',
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object, ...(before && { previous_attributes: computeChanges(before, body) }) },
  }
  await save(context, event)
  const plan = context.faults.onEvent({ environment: context.environment, eventId: event.id, type })
  await context.store.enqueueDeliveries(
    event.id,
    plan.map((delayMs) => nowMs + delayMs),
  )
}

/** Stores a changed object and tells of it. */
export async function saveAndEmit(context: Context, type: string, body: Body, before?: Body): Promise<void> {
  await save(context, body)
  await emit(context, type, body, before)
}
