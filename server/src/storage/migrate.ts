// Brings a database to the schema of this code: plain SQL files, in order, each once, each in a transaction of its own.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

const folder = join(import.meta.dirname, '../../migrations')

// Any constant serves; every instance must use the same one.
const migrationLock = 4_711_100_001

export class MigrationError extends Error {}

type Migration = { name: string; text: string; checksum: string }

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Brings the database to the schema of this code. */
export const migrate = async (connection: pg.ClientConfig): Promise<number> =>
  applyMigrations(connection, await readMigrations())

/** Applies what is missing and returns how many; instances that start together wait for one another. */
export async function applyMigrations(connection: pg.ClientConfig, migrations: Migration[]): Promise<number> {
  const client = new pg.Client({ ...connection, application_name: 'tollkeeper migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(
      `create table if not exists migration (
         name text primary key,
         checksum text not null,
         applied_at timestamptz not null default now()
       )`,
    )
    const applied = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migration',
    )
    const checksums = new Map(applied.rows.map((row) => [row.name, row.checksum]))
    assertKnown(checksums, migrations)
    const missing = migrations.filter((migration) => !checksums.has(migration.name))
    for (const migration of missing) await apply(client, migration)
    return missing.length
  } finally {
    await client.end()
  }
}

function assertKnown(checksums: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]))
  for (const [name, checksum] of checksums) {
    if (!known.has(name)) {
      throw new MigrationError(
        `The database has the migration ${name}, which this version does not know: it is older.`,
      )
    }
    if (known.get(name) !== checksum) {
      throw new MigrationError(
        `The migration ${name} was changed after it had been applied: this database was made by another, unreleased version. Start with an empty one (another DATABASE_URL or DATA_DIR).`,
      )
    }
  }
}

async function apply(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new MigrationError(`The migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

/** True when the database has all the migrations of this code; `/readyz` asks. */
export async function isMigrated(sql: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const migrations = await readMigrations()
  const { rows } = await sql.query<{ name: string }>('select name from migration')
  const applied = new Set(rows.map((row) => row.name))
  return migrations.every((migration) => applied.has(migration.name))
}
