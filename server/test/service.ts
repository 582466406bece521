// A real service for tests: one or more instances over a database of their own, and a caller that holds every answer
// against openapi.json.
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'
import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { createApiKey } from '../src/operations/keys/api-keys.ts'
import { type Service, startService } from '../src/service.ts'
import { assertContract } from './contract/validator.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

type Options = {
  instances?: number
  /** Off unless given. */
  limits?: { all: number; write: number }
  /** Environment variables for the configuration. */
  variables?: Record<string, string>
}

export type RequestOptions = {
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string | Buffer
  /** The full test key unless given; null sends none. */
  key?: string | null
  headers?: Record<string, string>
  /** Which instance is asked: 0 unless given. */
  instance?: number
}

export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely, the contract has checked their shape
  body: any
  text: string
  headers: IncomingHttpHeaders
}

export type TestService = {
  instances: Service[]
  urls: string[]
  keys: { test: string; testRead: string; live: string }
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  database: TestDatabase
  /** Looks into the database beside the service. */
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export async function startTestService(options: Options = {}): Promise<TestService> {
  const { instances: count = 1, limits = { all: 0, write: 0 }, variables = {} } = options
  const database = await createTestDatabase()
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    TOLLKEEPER_DEMO: '0',
    TOLLKEEPER_SIMULATE_LIVE: '1',
    RATE_LIMIT_ALL: String(limits.all),
    RATE_LIMIT_WRITE: String(limits.write),
    ...variables,
  })
  const instances: Service[] = []
  for (let index = 0; index < count; index++) instances.push(await startService(config, database.connection))
  const urls = instances.map((instance) => instance.url)
  const keys = await createKeys(instances[0] as Service)
  const pool = new pg.Pool({ ...database.connection, max: 2 })
  pool.on('error', () => {})
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })

  async function request(method: string, path: string, asked: RequestOptions = {}): Promise<Answer> {
    const { body, raw, key = keys.test, headers = {}, instance = 0 } = asked
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await call(agent, urls[instance] as string, method, path, payload, {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    })
    assertContract(method, path, answer)
    return answer
  }

  async function close(): Promise<void> {
    agent.destroy()
    const open = instances.filter((instance) => instance.app.server.listening)
    await Promise.all(open.map((instance) => instance.close()))
    await pool.end()
    await database.drop()
  }

  const query = async (sql: string, values?: unknown[]) => (await pool.query(sql, values)).rows
  return { instances, urls, keys, request, database, query, close }
}

async function createKeys({ services }: Service): Promise<TestService['keys']> {
  const caller = { actor: 'test', now: Date.now() }
  const make = async (environment: 'test' | 'live', scope: 'full' | 'read') => {
    const key = { environment, name: `${environment} ${scope}`, scope, expiresAt: null }
    return (await createApiKey(services.database, caller, key)).secret
  }
  return {
    test: await make('test', 'full'),
    testRead: await make('test', 'read'),
    live: await make('live', 'full'),
  }
}

/** Node's plain client: unlike fetch it sends paths and headers exactly as they are given. */
export function call(
  agent: Agent | undefined,
  url: string,
  method: string,
  path: string,
  payload: string | Buffer | undefined,
  headers: Record<string, string>,
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const length = payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) }
  return new Promise((resolve, reject) => {
    const outgoing = send(
      { agent: agent ?? false, hostname, port, method, path, headers: { ...length, ...headers } },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = incoming.headers['content-type']?.startsWith('application/json') && text !== ''
          const body = isJson ? JSON.parse(text) : undefined
          resolve({ status: incoming.statusCode as number, body, text, headers: incoming.headers })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}
