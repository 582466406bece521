// The database gone or silent: every request ends within ten seconds with 503 and an error, and all heals by itself.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import { createApiKey } from '../../src/operations/api-keys.ts'
import { type Service, startService } from '../../src/service.ts'
import { assertContract } from '../contract/validator.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { type Answer, call } from '../service.ts'

/** Stands between service and database, and can cut the way or let everything on it stand still. */
type Way = { cut(): void; hold(): void; mend(): void; close(): void }

function openWay(from: string, to: string): Way {
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'held' = 'open'
  const server: Server = createServer((near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = connect(to)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('data', (chunk) => other.write(chunk))
      if (state === 'held') socket.pause()
      socket.on('error', () => {})
      socket.on('close', () => {
        other.destroy()
        sockets.delete(socket)
      })
    }
  }).listen(from)
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    cut: () => {
      state = 'cut'
      destroyAll()
    },
    hold: () => {
      state = 'held'
      for (const socket of sockets) socket.pause()
    },
    mend: () => {
      state = 'open'
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      destroyAll()
      server.close()
    },
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-way-'))
let database: TestDatabase
let way: Way
let service: Service
let key: string
before(async () => {
  database = await createTestDatabase()
  const { host, port = 5432 } = database.connection
  way = openWay(join(folder, `.s.PGSQL.${port}`), join(String(host), `.s.PGSQL.${port}`))
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', TOLLKEEPER_DEMO: '0' })
  service = await startService(config, { ...database.connection, host: folder })
  const input = { environment: 'test' as const, name: 'x', scope: 'full' as const, expiresAt: null }
  key = (await createApiKey(service.services.database, { actor: 'test', now: Date.now() }, input)).secret
})
after(async () => {
  way.mend()
  await service.close()
  way.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

async function ask(method: string, path: string, body?: object): Promise<Answer & { ms: number }> {
  const startedAt = Date.now()
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await call(undefined, service.url, method, path, body && JSON.stringify(body), headers)
  if (path.startsWith('/v1')) assertContract(method, path, answer)
  return { ...answer, ms: Date.now() - startedAt }
}

const askAll = () =>
  Promise.all([
    ask('GET', '/v1/features'),
    ask('GET', '/v1/customers/x'),
    ask('GET', '/v1/customers'),
    ask('POST', '/v1/customers', { customerId: 'lost' }),
    ask('POST', '/v1/features', { featureKey: 'lost', name: 'x', type: 'limit' }),
    ask('POST', '/v1/usage', { customerId: 'x', featureKey: 'y', eventKey: 'z' }),
  ])

async function assertUnavailable(): Promise<void> {
  const [answers, ready] = await Promise.all([askAll(), ask('GET', '/readyz')])
  for (const { status, headers, body, ms } of answers) {
    assert.equal(status, 503, JSON.stringify(body))
    assert.equal(headers['retry-after'], '1')
    assert.ok(ms <= 10_000, `${ms} ms`)
  }
  assert.ok(ready.status === 503 && ready.ms <= 10_000, `${ready.status} in ${ready.ms} ms`)
  assert.equal((await ask('GET', '/livez')).status, 200)
}

async function assertHealed(): Promise<void> {
  const deadlineAt = Date.now() + 10_000
  while ((await ask('GET', '/readyz')).status !== 200 || (await ask('GET', '/v1/features')).status !== 200) {
    assert.ok(Date.now() < deadlineAt, 'not healed within 10 s')
    await sleep(50)
  }
  const statuses = (await askAll()).map((answer) => answer.status)
  assert.ok(
    statuses.every((status) => status < 500),
    statuses.join(),
  )
  for (const path of ['/v1/customers/lost', '/v1/features/lost']) await ask('DELETE', path)
}

describe('without its database the service', () => {
  it('answers while all is well', assertHealed)

  it('says 503 when connections are cut and none can be made, and heals by itself', async () => {
    way.cut()
    await assertUnavailable()
    way.mend()
    await assertHealed()
  })

  it('says 503 within 10 s when the database stands still, and heals by itself', async () => {
    way.hold()
    await assertUnavailable()
    way.mend()
    await assertHealed()
  })

  it('says that it is not ready when the schema is another', async () => {
    await service.services.database.pool.query(
      `update migration set name = '0001-other.sql' where name like '0001%'`,
    )
    const { status, headers } = await ask('GET', '/readyz')
    assert.deepEqual([status, headers['x-error-code']], [503, 'not_migrated'])
  })
})
