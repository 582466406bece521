// Which PostgreSQL answers, and what time it has.
import pg from 'pg'

export type ServerVersion = { major: number; name: string }

export async function readServerVersion(connection: pg.ClientConfig): Promise<ServerVersion> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ number: string; name: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
    )
    return { major: Math.floor(Number(rows[0]?.number) / 10_000), name: rows[0]?.name ?? '' }
  } finally {
    await client.end()
  }
}

/** The database's time, which is business time. */
export async function readDatabaseClock(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ now: number }>('select clock_ms() as now')
  return Number(rows[0]?.now)
}
