// A connection of its own for a hot path: pipelined, always open, with plans that do not change with table sizes.
import pg from 'pg'
import { begin, type Sql, silenceMs } from './database.ts'

export type Statement = { name: string; text: string }

export type Lane = {
  /** For statements that look rows up: one that is not answered soon takes the connection with it. */
  query<Row extends unknown[]>(statement: Statement, values: unknown[]): Promise<Row[]>
  /** The connection, for statements that are read by somebody else. */
  connect(): Promise<Sql>
  /**
   * A transaction of several round trips, begun here. Others wait for their turn only until this one has sent its commit, and are
   * then sent behind it, so that the connection is not idle while the disk writes.
   */
  inTurn<T>(work: (sql: Sql, commit: Commit) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Sends the commit behind what was sent before and waits for all of it. */
export type Commit = (sent: Promise<unknown>[]) => Promise<void>

// Hot statements look rows up by whole keys. The planner, misled by small tables, would otherwise scan or hash them.
const planner =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off'

export function openLane(config: pg.ClientConfig): Lane {
  let current: Promise<pg.Client> | undefined
  let closed = false

  function connect(): Promise<pg.Client> {
    if (closed) return Promise.reject(new Error('the lane is closed'))
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

  let turn: Promise<unknown> = Promise.resolve()

  async function inTurn<T>(work: (sql: Sql, commit: Commit) => Promise<T>): Promise<T> {
    const before = turn
    let release = () => {}
    turn = new Promise<void>((resolve) => {
      release = resolve
    })
    await before
    try {
      return await transact(await connect(), work, release)
    } finally {
      release()
    }
  }

  async function close(): Promise<void> {
    closed = true
    const client = await current?.catch(() => undefined)
    await client?.end()
  }

  return { query, connect, inTurn, close }
}

const deadlock = '40P01'
const attempts = 4

/** Locks are taken in order, so a deadlock needs a stranger's hand; then the whole is tried again, in the same turn. */
async function transact<T>(
  client: pg.Client,
  work: (sql: Sql, commit: Commit) => Promise<T>,
  release: () => void,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let isSent = false
    const commit: Commit = async (sent) => {
      const committed = client.query('commit')
      isSent = true
      release()
      await Promise.all([...sent, committed])
    }
    const begun = client.query(begin)
    try {
      const [result] = await Promise.all([work(client, commit), begun])
      return result
    } catch (error) {
      // Once the commit is sent the transaction ends by itself, and what is sent now would land in the next one.
      if (isSent) throw error
      await client.query('rollback')
      if ((error as { code?: string }).code !== deadlock || attempt === attempts) throw error
    }
  }
}
