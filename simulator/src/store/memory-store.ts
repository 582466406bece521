// A store in memory, kept in a file as well if one is named; its clock is the real one until it is set.
import type { Environment } from '../environment.ts'
import { environments } from '../environment.ts'
import { createState, openSession } from './memory-state.ts'
import { openStateFile } from './state-file.ts'
import type { Store, StoreSession } from './store.ts'

export type MemoryStore = Store & {
  /** Freezes an environment's clock at an instant in Unix ms, or frees it. */
  setClock(environment: Environment, nowMs: number | null): void
  isFrozen(environment: Environment): boolean
  /** Writes what the file does not have yet. */
  close(): Promise<void>
}

const dayMs = 86_400_000

export function createMemoryStore(options: { file?: string } = {}): MemoryStore {
  const file = options.file === undefined ? undefined : openStateFile(options.file)
  const state = file?.read() ?? createState()
  // Reads take turns too, or they would see half of a change.
  const turns: Record<Environment, Promise<unknown>> = { test: Promise.resolve(), live: Promise.resolve() }

  function takeTurn<T>(environment: Environment, work: (session: StoreSession) => Promise<T>): Promise<T> {
    const turn = turns[environment].then(() => {
      const session = openSession(state, environment, [])
      return session.attempt(() => work(session))
    })
    turns[environment] = turn.catch(() => {})
    return turn
  }

  return {
    read: takeTurn,
    async write(environment, work) {
      const result = await takeTurn(environment, work)
      file?.writeSoon(state)
      return result
    },
    async claimDeliveries(nowMs, leaseUntil, limit) {
      const due = [...state.deliveries.values()]
        .filter((row) => row.nextAttemptAt <= nowMs)
        .toSorted(
          (one, other) => one.nextAttemptAt - other.nextAttemptAt || one.deliveryId - other.deliveryId,
        )
        .slice(0, limit)
      for (const row of due) {
        row.attempts += 1
        row.nextAttemptAt = leaseUntil
      }
      return due
        .map(({ nextAttemptAt: _, ...delivery }) => delivery)
        .toSorted((one, other) => one.deliveryId - other.deliveryId)
    },
    async deleteDelivery(deliveryId) {
      state.deliveries.delete(deliveryId)
      file?.writeSoon(state)
    },
    async postponeDelivery(deliveryId, nextAttemptAt) {
      const row = state.deliveries.get(deliveryId)
      if (row !== undefined) row.nextAttemptAt = nextAttemptAt
    },
    async prune(nowMs) {
      for (const environment of environments) {
        const { objects, answers } = state.environments[environment]
        for (const [key, { answeredAt }] of answers) if (answeredAt < nowMs - dayMs) answers.delete(key)
        const oldest = Math.floor((nowMs - 30 * dayMs) / 1000)
        for (const [id, { body }] of objects) {
          if (body.object === 'event' && body.created < oldest) objects.delete(id)
        }
      }
    },
    async readClock(environment) {
      return state.clock[environment] ?? Date.now()
    },
    setClock(environment, nowMs) {
      state.clock[environment] = nowMs
      file?.writeSoon(state)
    },
    isFrozen: (environment) => state.clock[environment] !== null,
    close: async () => file?.close(state),
  }
}
