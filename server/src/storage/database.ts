// The pool of ordinary connections and the one way to run a transaction. Hot paths have connections of their own
// (pipelined-connection.ts).
import pg from 'pg'
import type { Histogram } from '../telemetry/registry.ts'

// Times and counters are bigint in PostgreSQL and far below 2^53 here, so they come back as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type Sql = Pick<pg.ClientBase, 'query'>

export type Database = {
  pool: pg.Pool
  config: pg.ClientConfig
  /** Locks are taken in order, so a deadlock needs a stranger's hand; then the whole work is done again. */
  inTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * For statements that a database that is there answers within milliseconds: without an answer for this long the connection is
 * dead. Above the lock's time-out, which is an answer, and below the 5 s in which a caller is answered.
 */
export const silenceMs = 4_000

/** What every connection is opened with; pipelined ones add their own planner settings. */
export type DatabaseOptions = {
  connection: pg.ClientConfig
  poolSize: number
  /** Measures transactions, in seconds. */
  times?: Histogram
}

const attempts = 4

/** The SQLSTATE of an error that the database answered with. */
export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

/** Somebody else had what was to be locked for longer than was allowed. */
export const isLockTimeout = (error: unknown): boolean => sqlStateOf(error) === '55P03'

export const isDeadlock = (error: unknown): boolean => sqlStateOf(error) === '40P01'

/** Waits for nothing, so it also tells whether anybody is there. */
export const begin = { text: 'begin', query_timeout: silenceMs } as pg.QueryConfig

export function openDatabase({ connection, poolSize, times }: DatabaseOptions): Database {
  const config: pg.ClientConfig = {
    ...connection,
    application_name: 'tollkeeper',
    // Long enough for a lost packet to be sent again, short enough that another attempt fits into a caller's 5 s.
    connectionTimeoutMillis: 3_000,
    // Below the 5 s in which a caller is answered: whoever waits for a lock is told so, not that it took too long.
    lock_timeout: 3_500,
    // Longer than any caller waits: a sum over millions of events or a large deletion is worth finishing, or no retry would
    // ever get further.
    statement_timeout: 8_000,
    // The database gives up before we do, so silence for longer means that nobody is there any more. What was sent could still
    // be answered into the next statement's place: pg closes the connection with it.
    query_timeout: 9_000,
    // No transaction waits for anything but this process, and its locks must not outlive a connection lost without a word.
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
    // Statements that do not wait for one another go out together.
    pipeline: true,
  } as pg.ClientConfig
  const pool = new pg.Pool({ ...config, max: poolSize, idleTimeoutMillis: 30_000 })
  // An idle connection that dies is replaced on the next use; without a listener the process would end.
  pool.on('error', () => {})
  // So would it when one dies that is in use: its statements fail by themselves.
  pool.on('connect', (client) => client.on('error', () => {}))

  async function runTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query(begin)
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
      throw error
    } finally {
      client.release(broken)
      times?.observe((performance.now() - startedAt) / 1000)
    }
  }

  async function inTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runTransaction(work)
      } catch (error) {
        if (!isDeadlock(error) || attempt === attempts) throw error
      }
    }
  }

  return { pool, config, inTransaction, close: () => pool.end() }
}

/** Reads that belong together: all of them see what was committed when the first began. */
export function inOneSnapshot<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.inTransaction(async (sql) => {
    await sql.query('set transaction isolation level repeatable read, read only')
    return work(sql)
  })
}
