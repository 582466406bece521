// The driver baseline's process: clients of PostgreSQL in a loop, without HTTP, authentication, limiter or decisions.
import pg from 'pg'
import { customerHash, hashToUuid } from '../src/storage/customers/customer-uid.ts'
import { answerParent } from './child.ts'
import { addToCounter, addToHotRow, insertEvent } from './plain-statements.ts'

type DriverAsk = { customers: number; durationMs: number }

const clients: pg.Client[] = []
const period = { start: 0, end: 8.64e15 }
const featureNo = 1

async function start(connection: pg.ClientConfig): Promise<void> {
  for (let index = 0; index < 16; index++) {
    const client = new pg.Client(connection)
    await client.connect()
    clients.push(client)
  }
}

async function loop(durationMs: number, work: (client: pg.Client) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  let done = 0
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - startedAt < durationMs) {
        await work(client)
        done++
      }
    }),
  )
  return (done / (performance.now() - startedAt)) * 1000
}

let events = 0

/** Transactions a second, each of them one event and its counter. */
const recordEvents = ({ customers, durationMs }: DriverAsk) =>
  loop(durationMs, async (client) => {
    const uid = customerHash('test', `c${Math.floor(Math.random() * customers)}`)
    const eventKey = `driver-${process.pid}-${events++}`
    await client.query('begin')
    const event = [uid, featureNo, hashToUuid(eventKey), events, Date.now(), 1, eventKey]
    await client.query({ ...insertEvent, values: event })
    await client.query({ ...addToCounter, values: [uid, period.end, featureNo, period.start, 1] })
    await client.query('commit')
  })

/** Updates a second of one and the same row, each committed by itself. */
async function updateHotRow({ durationMs }: DriverAsk): Promise<number> {
  const row = [customerHash('test', 'c0'), period.end, featureNo, period.start]
  await clients[0]?.query({ ...addToCounter, values: [...row, 1] })
  return loop(durationMs, (client) => client.query({ ...addToHotRow, values: row }))
}

answerParent({ start, recordEvents, updateHotRow }, () => Promise.all(clients.map((client) => client.end())))
