// The plain baseline's process: the same tables, authentication and limiter behind Fastify and a pool, one transaction per
// request, written as one would without gathering requests or holding anything in memory.
import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'
import { computePeriod, type ResetInterval } from '../src/domain/access/period.ts'
import { customerHash, hashToUuid } from '../src/storage/customers/customer-uid.ts'
import { answerParent } from './child.ts'
import * as statements from './plain-statements.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

let pool: pg.Pool

async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const app = Fastify()

/** Counts the request in its key's window; false when the key is unknown or the window full. */
async function admit(client: pg.PoolClient, secret: unknown, isWrite: boolean): Promise<boolean> {
  const secretHash = hash('sha256', String(secret), 'hex')
  const values = [secretHash, isWrite ? 0 : 1, isWrite ? 1 : 0]
  const { rows } = await client.query({ ...statements.admit, values })
  return rows[0] !== undefined && rows[0].reads + rows[0].writes <= 1000 && rows[0].writes <= 500
}

app.get<{ Querystring: { customerId: string } }>('/v1/feature-access', async (request, reply) => {
  const { customerId } = request.query
  const uid = customerHash('test', customerId)
  const now = Date.now()
  const rows = await inTransaction(async (client) => {
    if (!(await admit(client, request.headers['x-api-key'], false))) return undefined
    return (await client.query({ ...statements.readAccess, values: [uid, now] })).rows
  })
  if (!rows) return reply.code(429).send({ error: 'refused' })
  return Object.fromEntries(rows.map((row) => [row.feature_key, toAccess(row, now)]))
})

type AccessRow = {
  feature_key: string
  type: string
  usage_started_at: number
  usage_reset_interval: ResetInterval
  has_access: boolean
  limit_amount: string
  total: string | null
  bonus: string
}

function toAccess(row: AccessRow, now: number): object {
  if (row.type === 'boolean') return { hasAccess: row.has_access, type: row.type }
  const period = computePeriod(row.usage_reset_interval, row.usage_started_at, now)
  const [limit, used, bonus] = [Number(row.limit_amount), Number(row.total), Number(row.bonus)]
  const remaining = Math.max(0, limit - used) + bonus
  const usage = {
    used,
    remaining,
    bonusRemaining: bonus,
    bonusUsed: 0,
    hasReachedLimit: remaining === 0,
    nextReset: period.end,
    lastReset: period.start,
  }
  return { hasAccess: row.has_access, type: row.type, limit, isUnlimited: false, usage }
}

type Body = { customerId: string; featureKey: string; eventKey: string; amount?: number }

const schema = {
  body: {
    type: 'object',
    additionalProperties: false,
    required: ['customerId', 'featureKey', 'eventKey'],
    properties: {
      customerId: { type: 'string' },
      featureKey: { type: 'string' },
      eventKey: { type: 'string' },
      amount: { type: 'number' },
    },
  },
}

app.post<{ Body: Body }>('/v1/usage', { schema }, async (request, reply) => {
  const { customerId, featureKey, eventKey, amount = 1 } = request.body
  const uid = customerHash('test', customerId)
  const keyHash = hashToUuid(eventKey)
  const now = Date.now()
  const answer = await inTransaction(async (client) => {
    if (!(await admit(client, request.headers['x-api-key'], true))) return undefined
    const locked = await client.query({ ...statements.lockCustomer, values: [uid, now, featureKey] })
    const { revision, usage_started_at, feature_no, usage_reset_interval } = locked.rows[0]
    const event = [uid, feature_no, keyHash, revision, now, amount, eventKey]
    const inserted = await client.query({ ...statements.insertEvent, values: event })
    const period = computePeriod(usage_reset_interval, usage_started_at, now)
    const counted = [uid, period.end, feature_no, period.start, inserted.rowCount ? amount : 0]
    const { rows } = await client.query({ ...statements.addToCounter, values: counted })
    const eventId = `evt_${revision}_${keyHash}`
    return { applied: inserted.rowCount === 1, used: Number(rows[0].total), eventId }
  })
  return answer ?? reply.code(429).send({ error: 'refused' })
})

answerParent(
  {
    start: async (connection: pg.ClientConfig) => {
      pool = new pg.Pool({ ...connection, max: 16 })
      await app.listen({ port: 0, host: '127.0.0.1' })
      return (app.server.address() as AddressInfo).port
    },
  },
  () => pool.end(),
)
