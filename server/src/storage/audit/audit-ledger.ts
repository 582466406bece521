// Recomputes everything that can be computed anew, and tells each difference from what is stored.
import pg from 'pg'
import { auditChecks } from './audit-checks.ts'
import { statisticsChecks } from './statistics-checks.ts'

export type Difference = { check: string; at: string; stored: string; expected: string }

export type AuditSummary = { customers: number; events: number; counters: number; bonuses: number }

const summaryStatement = `
  select (select count(*) from customer)::int as customers,
    (select count(*) from usage_event where alias_of is null)::int as events,
    (select count(*) from usage_counter)::int as counters,
    (select count(*) from bonus)::int as bonuses`

const rowsAtOnce = 500

/** Everything is seen as of one instant, nothing is locked, and what is in memory is one portion of differences. */
export async function auditLedger(
  connection: pg.ClientConfig,
  onDifference: (difference: Difference) => void,
): Promise<AuditSummary> {
  const client = new pg.Client({ ...connection, application_name: 'tollkeeper audit' })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    for (const [check, text] of Object.entries({ ...auditChecks, ...statisticsChecks }))
      await run(client, check, text, onDifference)
    const { rows } = await client.query<AuditSummary>(summaryStatement)
    return rows[0] as AuditSummary
  } finally {
    await client.end()
  }
}

async function run(
  client: pg.Client,
  check: string,
  text: string,
  onDifference: (difference: Difference) => void,
): Promise<void> {
  await client.query(`declare differences no scroll cursor for ${text}`)
  for (;;) {
    const { rows } = await client.query<Omit<Difference, 'check'>>(`fetch ${rowsAtOnce} from differences`)
    for (const row of rows) onDifference({ check, ...row })
    if (rows.length < rowsAtOnce) break
  }
  await client.query('close differences')
}
