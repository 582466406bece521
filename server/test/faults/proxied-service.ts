// A service that reaches its database through a proxy, with a caller that measures how long it waited.
import { readConfig } from '../../src/config.ts'
import { createApiKey } from '../../src/operations/keys/api-keys.ts'
import { type Service, startService } from '../../src/service.ts'
import { assertContract } from '../contract/validator.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { type Answer, call } from '../service.ts'
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts'

export type TimedAnswer = Answer & { ms: number }

export type ProxiedService = {
  service: Service
  proxy: DatabaseProxy
  database: TestDatabase
  ask(method: string, path: string, body?: object): Promise<TimedAnswer>
  close(): Promise<void>
}

export async function startProxiedService(): Promise<ProxiedService> {
  const database = await createTestDatabase()
  const proxy = await openDatabaseProxy(database.connection)
  const variables = { PORT: '0', LOG_LEVEL: 'silent', TOLLKEEPER_DEMO: '0', RATE_LIMIT_ALL: '0' }
  const service = await startService(readConfig(variables), proxy.connection)
  const input = { environment: 'test' as const, name: 'x', scope: 'full' as const, expiresAt: null }
  const caller = { actor: 'test', now: Date.now() }
  const { secret } = await createApiKey(service.services.database, caller, input)

  async function ask(method: string, path: string, body?: object): Promise<TimedAnswer> {
    const startedAt = Date.now()
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' }
    const answer = await call(undefined, service.url, method, path, body && JSON.stringify(body), headers)
    if (path.startsWith('/v1')) assertContract(method, path, answer)
    return { ...answer, ms: Date.now() - startedAt }
  }

  async function close(): Promise<void> {
    proxy.loseReplies(() => false)
    proxy.mend()
    await service.close()
    await proxy.close()
    await database.drop()
  }
  return { service, proxy, database, ask, close }
}
