// The pool of ordinary connections and the one way to run a transaction. Hot paths have connections of their own (lane.ts).
import pg from 'pg'

// Times and counters are bigint in PostgreSQL and far below 2^53 here, so they come back as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type Sql = Pick<pg.ClientBase, 'query'>

export type Database = {
  pool: pg.Pool
  config: pg.ClientConfig
  inTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** What every connection is opened with; lanes add their own planner settings. */
export type DatabaseOptions = { connection: pg.ClientConfig; poolSize: number }

export function openDatabase({ connection, poolSize }: DatabaseOptions): Database {
  const config: pg.ClientConfig = {
    ...connection,
    application_name: 'tollkeeper',
    connectionTimeoutMillis: 4_000,
    // Every request ends within 10 s: the database gives up first, so that its 503 can still be told.
    statement_timeout: 8_000,
    lock_timeout: 6_000,
    idle_in_transaction_session_timeout: 10_000,
    query_timeout: 9_000,
    keepAlive: true,
    // Statements that do not wait for one another go out together.
    pipeline: true,
  } as pg.ClientConfig
  const pool = new pg.Pool({ ...config, max: poolSize, idleTimeoutMillis: 30_000 })
  // An idle connection that dies is replaced on the next use; without a listener the process would end.
  pool.on('error', () => {})
  // So would it when one dies that is in use: its statements fail by themselves.
  pool.on('connect', (client) => client.on('error', () => {}))

  async function inTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
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
    }
  }

  return { pool, config, inTransaction, close: () => pool.end() }
}
