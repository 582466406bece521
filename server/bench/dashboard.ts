// How long the dashboard's routes take over a large environment: tables filled, statistics made by the job, then every route asked
// in turn, alone.
import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { catchUp } from '../src/operations/statistics/keep-statistics.ts'
import { type Service, startService } from '../src/service.ts'
import { startServer } from './bench-fixture.ts'
import { fillHistory } from './fill.ts'
import type { Row } from './measures.ts'
import { median } from './rounds.ts'
import { featureKey, seedCustomers } from './seed.ts'

const usual = { customers: 100_000, events: 10_000_000 }
const quick = { customers: 10_000, events: 1_000_000 }

const email = 'bench@example.com'
const password = 'a password of the bench'
const dayMs = 86_400_000
const timesAsked = 7
/** The bench's own customers are made beforehand. */
const seeded = 1_000

export async function measureDashboard(isQuick: boolean): Promise<Row[]> {
  const sizes = isQuick ? quick : usual
  const { connection, stopServer } = await startServer()
  let service: Service | undefined
  const client = new pg.Client(connection)
  try {
    // Whatever goes wrong stops the server first: that is not what is to be told.
    client.on('error', () => {})
    await client.connect()
    console.error(`filling ${sizes.customers} customers, ${sizes.events} events`)
    await seedCustomers(client, seeded, sizes.customers)
    await fillHistory(client, sizes.customers, sizes.events)
    const variables = { TOLLKEEPER_ADMIN_EMAIL: email, TOLLKEEPER_ADMIN_PASSWORD: password }
    const config = readConfig({ PORT: '0', TOLLKEEPER_DEMO: '0', LOG_LEVEL: 'warn', ...variables })
    service = await startService(config, connection)
    console.error('making statistics')
    const startedAt = performance.now()
    await catchUp(service.services, 'test')
    const seconds = (performance.now() - startedAt) / 1000
    await client.query('vacuum analyze')
    const made = {
      measure: `statistics of ${sizes.customers} customers, ${sizes.events} events, made from nothing`,
      must: '',
      aim: '',
      seen: `${seconds.toFixed(0)} s (${(sizes.events / seconds / 1000).toFixed(0)}k events/s)`,
    }
    const rows = await askAll(service.url, await signIn(service.url))
    await client.end()
    return [made, ...rows, ...(await measureSizes(connection))]
  } finally {
    await service?.close()
    await stopServer()
  }
}

async function signIn(url: string): Promise<{ cookie: string; csrf: string }> {
  const answer = await fetch(`${url}/dashboard/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  })
  const { csrfToken } = (await answer.json()) as { csrfToken: string }
  return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] as string, csrf: csrfToken }
}

type Ask = { name: string; path: string; body?: object }

function listAsks(eventId: string, cursors: Record<string, string>): Ask[] {
  const now = Date.now()
  const from = (days: number) => `from=${now - days * dayMs}`
  const noon = now - (now % dayMs) - dayMs / 2
  const get = (name: string, path: string): Ask => ({ name, path })
  return [
    get('Home', 'overview'),
    get('Home, chart', `charts/usage?interval=hour&${from(2)}`),
    get('Customers', 'customer-rows'),
    get('Customers, page 2', `customer-rows?cursor=${cursors['customer-rows']}`),
    get('Customers by share', 'customer-rows?sort=share'),
    get('Customers over a limit', 'customer-rows?status=over'),
    get('Customers near a limit, by share', 'customer-rows?status=near&sort=share'),
    get('Customers below', 'customer-rows?status=ok'),
    get('Customers of a product', 'customer-rows?productKey=pro'),
    get('Customers, searched', 'customer-rows?search=c99'),
    get('Customers, searched, by share', 'customer-rows?search=customer%20123&sort=share'),
    get('Customer, chart of a limit', `charts/limit?customerId=c77&featureKey=${featureKey}`),
    get('Customer, usage by day', `charts/usage?interval=day&customerId=c77&groupBy=feature&${from(90)}`),
    get('Customer, timeline', 'customers/c77/timeline'),
    get('Products, holders', 'products/holders'),
    {
      name: 'Product, preview for all holders',
      path: 'products/pro/preview',
      body: { featureAccess: [{ featureKey, hasAccess: true, limit: 5 }] },
    },
    get('Feature', `features/${featureKey}/statistics`),
    get('Feature, impact', `features/${featureKey}/impact`),
    get(
      'Feature, usage by day',
      `charts/usage?interval=day&featureKey=${featureKey}&measure=amount&${from(90)}`,
    ),
    get('Usage by day and feature', `charts/usage?interval=day&groupBy=feature&${from(90)}`),
    get('Usage by day and product', `charts/usage?interval=day&groupBy=product&${from(90)}`),
    get('Usage by day and customer', `charts/usage?interval=day&groupBy=customer&${from(90)}`),
    get('Usage by hour, 62 days', `charts/usage?interval=hour&groupBy=feature&${from(61)}`),
    get('Ledger', 'events'),
    get('Ledger, page 2', `events?cursor=${cursors.events}`),
    get('Ledger of a feature', 'events?featureKey=exports'),
    get('Ledger of a product', 'events?productKey=pro'),
    get('Ledger of a customer', 'events?customerId=c77'),
    get('Ledger, sets only', 'events?source=usage_set_adjustment'),
    get('Ledger until noon of yesterday', `events?to=${noon}`),
    get('Event, history', `events/${eventId}/history`),
    { name: 'Event, preview', path: `events/${eventId}/preview`, body: { amount: 3 } },
    get('Bonuses', 'bonus-rows'),
    get('Requests', 'charts/requests'),
  ]
}

async function askAll(url: string, { cookie, csrf }: { cookie: string; csrf: string }): Promise<Row[]> {
  const ask = async ({ path, body }: Pick<Ask, 'path' | 'body'>) => {
    const headers = { cookie, origin: url, 'x-csrf-token': csrf, 'content-type': 'application/json' }
    const address = `${url}/dashboard/api/test/${path}`
    const answer = await fetch(
      address,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers: { cookie } },
    )
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} → ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  const events = await ask({ path: 'events' })
  const customers = await ask({ path: 'customer-rows' })
  const cursors = { events: events.nextCursor, 'customer-rows': customers.nextCursor }
  const rows: Row[] = []
  for (const each of listAsks(events.events[0].id, cursors)) {
    const times: number[] = []
    for (let count = 0; count < timesAsked; count++) {
      const startedAt = performance.now()
      await ask(each)
      times.push(performance.now() - startedAt)
    }
    const seen = `${median(times).toFixed(0)} ms (at most ${Math.max(...times).toFixed(0)})`
    rows.push({ measure: each.name, must: '300 ms', aim: '', seen })
    console.error(`${each.name}: ${seen}`)
  }
  return rows
}

async function measureSizes(connection: pg.ClientConfig): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ name: string; mb: number; rows: number }>(
    `select relname as name, pg_total_relation_size(oid) / 1048576 as mb, reltuples::bigint as rows from pg_class
     where relname = any('{usage_event,usage_hour,usage_day,usage_total,customer_standing,limit_change}') order by 1`,
  )
  await client.end()
  return rows.map(({ name, mb, rows: count }) => ({
    measure: `size of ${name}`,
    must: '',
    aim: '',
    seen: `${mb} MB, ${count} rows`,
  }))
}
