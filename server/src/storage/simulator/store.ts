// The provider simulator's state in PostgreSQL: what it asks of a store, for any number of processes over one database.
import type { Store, StoreSession } from '@tollkeeper/simulator/src/store/store.ts'
import type { Environment } from '../../domain/environment.ts'
import { readClock } from '../catalogue/clock.ts'
import type { Database, Sql } from '../database.ts'
import { findAnswer, prune, saveAnswer } from './answers.ts'
import { claimDeliveries, deleteDelivery, enqueueDeliveries, postponeDelivery } from './deliveries.ts'
import { findDue, findObjects, listObjects, lockEnvironment, saveObject } from './objects.ts'

function openSession(sql: Sql, environment: Environment): StoreSession {
  return {
    findObjects: (ids) => findObjects(sql, environment, ids),
    listObjects: (filter) => listObjects(sql, environment, filter),
    findDue: (nowSeconds, limit) => findDue(sql, environment, nowSeconds, limit),
    saveObject: (body, place) => saveObject(sql, environment, body, place),
    findAnswer: (idempotencyKey) => findAnswer(sql, environment, idempotencyKey),
    saveAnswer: (idempotencyKey, answer, answeredAt) =>
      saveAnswer(sql, environment, idempotencyKey, answer, answeredAt),
    enqueueDeliveries: (eventId, dueAts) => enqueueDeliveries(sql, environment, eventId, dueAts),
    async attempt(work) {
      await sql.query('savepoint attempt')
      try {
        const result = await work()
        await sql.query('release savepoint attempt')
        return result
      } catch (error) {
        await sql.query('rollback to savepoint attempt')
        throw error
      }
    },
  }
}

export function createSimulatorStore(database: Database): Store {
  const { pool } = database
  // One after the other in this process before the lock over all processes: who waits for a turn holds no connection.
  const turns = new Map<Environment, Promise<unknown>>()

  return {
    read: (environment, work) => work(openSession(pool, environment)),
    async write(environment, work) {
      const act = () =>
        database.inTransaction(async (sql) => {
          await lockEnvironment(sql, environment)
          return work(openSession(sql, environment))
        })
      const turn = (turns.get(environment) ?? Promise.resolve()).then(act)
      turns.set(
        environment,
        turn.catch(() => {}),
      )
      return turn
    },
    claimDeliveries: (nowMs, leaseUntil, limit) => claimDeliveries(pool, nowMs, leaseUntil, limit),
    deleteDelivery: (deliveryId) => deleteDelivery(pool, deliveryId),
    postponeDelivery: (deliveryId, nextAttemptAt) => postponeDelivery(pool, deliveryId, nextAttemptAt),
    prune: (nowMs) => prune(pool, nowMs),
    readClock: async (environment) => (await readClock(pool, environment)).now,
  }
}
