// Locks and looks from a connection of the test's own, with which it decides who of the service comes first.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TestService } from '../service.ts'

export type HeldLock = {
  /** In the transaction that holds it. */
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  release(): Promise<void>
}

/** Begins a transaction and runs what takes the lock. The service gives up on locks after 3.5 s: whoever holds one hurries. */
export async function holdLock(
  { database }: TestService,
  sql: string,
  values: unknown[] = [],
): Promise<HeldLock> {
  const client = new pg.Client({ ...database.connection, application_name: 'foreign' })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query(sql, values)
  return {
    query: async (text, more) => (await client.query(text, more)).rows,
    release: async () => {
      await client.query('rollback')
      await client.end()
    },
  }
}

export const customerRow = `select from customer where environment = 'test' and customer_id = $1 for update`

export const holdCustomer = (service: TestService, customerId: string): Promise<HeldLock> =>
  holdLock(service, customerRow, [customerId])

/** Resolves once so many sessions of the test's database wait for a lock. */
export async function waitForWaiters(service: TestService, count: number, limitMs = 2_000): Promise<void> {
  await eventually(
    () =>
      service.query(
        `select pid, left(query, 80) as query from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    (waiting) => assert.ok(waiting.length >= count, `${waiting.length} of ${count} wait`),
    limitMs,
  )
}

/** Asks until what comes is as wanted, and fails with the last difference after the deadline. */
export async function eventually<T>(
  ask: () => Promise<T>,
  check: (answer: T) => void,
  limitMs = 5_000,
  everyMs = 10,
): Promise<T> {
  const deadlineAt = performance.now() + limitMs
  for (;;) {
    const answer = await ask()
    try {
      check(answer)
      return answer
    } catch (error) {
      if (performance.now() > deadlineAt) throw error
      await sleep(everyMs)
    }
  }
}
