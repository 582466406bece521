// A connection of its own for a hot path: pipelined, always open, with plans that do not change with table sizes.
import pg from 'pg'
import { type Sql, silenceMs } from './database.ts'

export type Statement = { name: string; text: string }

export type PipelinedConnection = {
  /** For statements that look rows up: one that is not answered soon takes the connection with it. */
  query<Row extends unknown[]>(statement: Statement, values: unknown[]): Promise<Row[]>
  /** The connection, for statements that are read by somebody else. */
  connect(): Promise<Sql>
  close(): Promise<void>
}

// Hot statements look rows up by whole keys. The planner, misled by small tables, would otherwise scan or hash them.
const planner =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off'

export function openPipelinedConnection(config: pg.ClientConfig): PipelinedConnection {
  let current: Promise<pg.Client> | undefined
  let closed = false

  function connect(): Promise<pg.Client> {
    if (closed) return Promise.reject(new Error('the connection is closed'))
    current ??= open()
    return current
  }

  function open(): Promise<pg.Client> {
    const client = new pg.Client({ ...config, options: planner })
    // Whoever waits for an answer gets the error through its own query; the next call opens a new connection. A client says
    // several times that it ended, and by the last its successor may be open: that one is not forgotten.
    const forget = () => {
      if (current === opened) current = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    const opened = client.connect().then(
      () => client,
      (error) => {
        forget()
        throw error
      },
    )
    return opened
  }

  async function query<Row extends unknown[]>({ name, text }: Statement, values: unknown[]): Promise<Row[]> {
    const client = await connect()
    const query = { name, text, values, rowMode: 'array' as const, query_timeout: silenceMs }
    return (await client.query<Row>(query)).rows
  }

  async function close(): Promise<void> {
    closed = true
    const client = await current?.catch(() => undefined)
    await client?.end()
  }

  return { query, connect, close }
}
