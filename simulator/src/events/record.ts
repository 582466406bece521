// Keeping changed objects and telling of them: each event is stored and its webhook owed.
import { type Rendered, render } from '../api/render.ts'
import type { Body, Context } from '../context.ts'
import type { StoredSession } from '../hosted-objects.ts'
import { newId } from '../ids.ts'
import type { StoredSubscription } from '../objects.ts'
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

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function computeChanges(before: Rendered, after: Rendered): Record<string, unknown> {
  return Object.fromEntries(Object.entries(before).filter(([field, value]) => !isSame(after[field], value)))
}

/** Stores an event and owes its webhook. Events are a log, so they carry real time, whatever the test clock says. */
async function emit(context: Context, type: string, body: Body, before?: Body): Promise<void> {
  const [object, was] = await render(context, before === undefined ? [body] : [body, before])
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
    data: { object, ...(was && { previous_attributes: computeChanges(was, object as Rendered) }) },
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
