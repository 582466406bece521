// What every simulated request works with: one environment at one instant, and the finding of its stored objects.
import { missing } from './api/errors.ts'
import type { Environment } from './environment.ts'
import type { SimulatorFaults } from './faults.ts'
import type { StoreSession } from './store/store.ts'

export type Context = {
  environment: Environment
  /** Business time, in seconds. */
  now: number
  store: StoreSession
  publicUrl: string
  faults: SimulatorFaults
}

/** The two ways of running work on an environment. */
export type ContextAccess = {
  /** Alone in its environment, and undone as a whole if it fails. */
  write<T>(environment: Environment, work: (context: Context) => Promise<T>): Promise<T>
  /** Work that only reads. */
  read<T>(environment: Environment, work: (context: Context) => Promise<T>): Promise<T>
}

export type Body = { id: string; object: string; created: number }

export async function findObject<T extends Body>(
  context: Context,
  object: T['object'],
  id: string,
): Promise<T | undefined> {
  // Ids come from paths and forms, and PostgreSQL refuses a null character where it should say "not found".
  const ids = id.includes('\0') ? [] : [id]
  const [found] = await context.store.findObjects(ids)
  return found?.object === object ? (found as unknown as T) : undefined
}

/** `param` names the parameter the id came from; without it the id came from the path. */
export async function getObject<T extends Body>(
  context: Context,
  object: T['object'],
  id: string,
  param?: string,
): Promise<T> {
  const found = await findObject<T>(context, object, id)
  if (found === undefined || (param !== undefined && 'deleted' in found)) throw missing(object, id, param)
  return found
}

/** As getObject, for what a deleted thing can no longer do. */
export async function getLiving<T extends Body>(
  context: Context,
  object: T['object'],
  id: string,
): Promise<T> {
  const found = await getObject<T>(context, object, id)
  if ('deleted' in found) throw missing(object, id)
  return found
}

/** Everything of a kind that belongs to one customer or product; the simulator's owners have few. */
export async function listOwned<T extends Body>(
  context: Context,
  object: T['object'],
  owner: string,
): Promise<T[]> {
  return (await context.store.listObjects({ object, owner, limit: 1_000 })) as unknown as T[]
}
