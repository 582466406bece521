// A connection of its own for a hot path: pipelined, always open, with plans that do not change with table sizes.
import pg from 'pg'
import type { Histogram } from '../telemetry/registry.ts'
import { type Sql, silenceMs } from './database.ts'

export type Statement = { name: string; text: string }

export type PipelinedConnection = {
  /** For statements that look rows up: one that is not answered soon takes the connection with it. */
  query<Row extends unknown[]>(statement: Statement, values: unknown[]): Promise<Row[]>
  /** The connection, for statements that are read by somebody else. */
  connect(): Promise<Sql>
  isOpen(): boolean
  close(): Promise<void>
}

// Hot statements look rows up by whole keys. The planner, misled by small tables, would otherwise scan or hash them.
const planner =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off'

/** `toTimes` gives the measure of a statement's time, in seconds. */
export function openPipelinedConnection(
  config: pg.ClientConfig,
  toTimes?: (statement: string) => Histogram,
): PipelinedConnection {
  const times = new Map<string, Histogram>()
  let isOpen = false
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
      if (current !== opened) return
      current = undefined
      isOpen = false
    }
    client.on('error', forget)
    client.on('end', forget)
    const opened = client.connect().then(
      () => {
        isOpen = true
        return client
      },
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
    if (!toTimes) return (await client.query<Row>(query)).rows
    const startedAt = performance.now()
    const { rows } = await client.query<Row>(query)
    times.getOrInsertComputed(name, toTimes).observe((performance.now() - startedAt) / 1000)
    return rows
  }

  async function close(): Promise<void> {
    closed = true
    const client = await current?.catch(() => undefined)
    await client?.end()
  }

  return { query, connect, isOpen: () => isOpen, close }
}
