// What every simulated request works with: one environment at one instant, its stored objects, and the events it makes.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../../storage/database.ts'
import {
  findSimulatorObjects,
  listSimulatorObjects,
  type SimulatorBody,
  type SimulatorFilter,
  saveSimulatorObject,
} from '../../storage/simulator.ts'
import { enqueueSimulatorDelivery } from '../../storage/simulator-delivery.ts'
import { missing } from './errors.ts'
import type { SimulatorFaults } from './faults.ts'
import { computeDueAt } from './lifecycle.ts'
import { newId, type StoredSession, type StoredSubscription } from './objects.ts'
import { render } from './render.ts'

export type World = {
  environment: Environment
  /** Business time, in seconds. */
  now: number
  sql: Sql
  publicUrl: string
  faults: SimulatorFaults
}

type Body = { id: string; object: string; created: number }

export async function findObject<T extends Body>(
  world: World,
  object: T['object'],
  id: string,
): Promise<T | undefined> {
  // Ids come from paths and forms, and PostgreSQL refuses a null character where it should say "not found".
  const ids = id.includes('\0') ? [] : [id]
  const [found] = await findSimulatorObjects(world.sql, world.environment, ids)
  return found?.object === object ? (found as unknown as T) : undefined
}

/** `param` names the parameter the id came from; without it the id came from the path. */
export async function getObject<T extends Body>(
  world: World,
  object: T['object'],
  id: string,
  param?: string,
): Promise<T> {
  const found = await findObject<T>(world, object, id)
  if (found === undefined || (param !== undefined && 'deleted' in found)) throw missing(object, id, param)
  return found
}

/** As getObject, for what a deleted thing can no longer do. */
export async function getLiving<T extends Body>(world: World, object: T['object'], id: string): Promise<T> {
  const found = await getObject<T>(world, object, id)
  if ('deleted' in found) throw missing(object, id)
  return found
}

/** Everything of a kind that belongs to one customer or product; the simulator's owners have few. */
export async function listOwned<T extends Body>(
  world: World,
  object: T['object'],
  owner: string,
): Promise<T[]> {
  const filter: SimulatorFilter = { object, owner, limit: 1_000 }
  return (await listSimulatorObjects(world.sql, world.environment, filter)) as unknown as T[]
}

function toDueAt(body: Body): number | null {
  if (body.object === 'subscription') return computeDueAt(body as StoredSubscription)
  const session = body as StoredSession
  return body.object === 'checkout.session' && session.status === 'open' ? session.expires_at : null
}

export async function save(world: World, body: Body): Promise<void> {
  const { customer, product } = body as { customer?: string | null; product?: string }
  await saveSimulatorObject(world.sql, world.environment, body as SimulatorBody, {
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
export async function emit(world: World, type: string, body: Body, before?: Body): Promise<void> {
  const [object] = await render(world, [body])
  const nowMs = Date.now()
  const event = {
    id: newId('evt_1'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(nowMs / 1000),
    livemode: world.environment === 'live',
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object, ...(before && { previous_attributes: computeChanges(before, body) }) },
  }
  await save(world, event)
  const plan = world.faults.onEvent({ environment: world.environment, eventId: event.id, type })
  const dueAts = plan.map((delayMs) => nowMs + delayMs)
  await enqueueSimulatorDelivery(world.sql, world.environment, event.id, dueAts)
}

/** Stores a changed object and tells of it. */
export async function saveAndEmit(world: World, type: string, body: Body, before?: Body): Promise<void> {
  await save(world, body)
  await emit(world, type, body, before)
}
