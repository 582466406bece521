// The database that commands and the service work on: DATABASE_URL, or the embedded one, running already or started here.

import { findEmbedded, startEmbeddedPostgres } from '@tollkeeper/embedded-postgres'
import { StartError } from '@tollkeeper/embedded-postgres/start-error'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { readServerVersion } from '../storage/server-version.ts'
import { showPath } from './show-path.ts'

export type Storage = { connection: pg.ClientConfig; description: string; stop(): Promise<void> }

const oldestVersion = 15

export async function openStorage(config: Config, onNotice: (text: string) => void): Promise<Storage> {
  if (config.databaseUrl !== undefined) {
    const connection = { connectionString: config.databaseUrl }
    return { connection, description: await checkServer(connection), stop: async () => {} }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, onNotice })
  return {
    connection: embedded.connection,
    description: `PostgreSQL ${embedded.version} (embedded) in ${showPath(config.dataDir)}`,
    stop: embedded.stop,
  }
}

/** For commands: a running service's embedded database is shared rather than refused. */
export async function joinStorage(config: Config): Promise<Storage> {
  const running =
    config.databaseUrl === undefined ? await findEmbedded({ dataDir: config.dataDir }) : undefined
  if (!running) return openStorage(config, () => {})
  return { connection: running, description: 'the running service', stop: async () => {} }
}

async function checkServer(connection: pg.ClientConfig): Promise<string> {
  const { major, name } = await readServerVersion(connection)
  if (major >= oldestVersion) return `PostgreSQL ${name} (DATABASE_URL)`
  throw new StartError(`The database is PostgreSQL ${name}; ${oldestVersion} or newer is needed.`)
}
