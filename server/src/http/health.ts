// /livez says that the process answers; /readyz that database and schema are there.
import type { FastifyInstance } from 'fastify'
import type { Services } from '../operations/services.ts'
import { isMigrated } from '../storage/migrate.ts'
import { sendError } from './errors.ts'

export function registerHealth(app: FastifyInstance, { database }: Services): void {
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await isMigrated(database.pool).catch(() => undefined)
    if (ready) return { status: 'ok' }
    return ready === undefined
      ? sendError(reply, 503, 'storage_unavailable', 'The database cannot be reached.')
      : sendError(reply, 503, 'not_migrated', 'The database does not have the schema of this version.')
  })
}
