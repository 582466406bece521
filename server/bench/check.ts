// Whether the service kept its books right under the load: sums agree everywhere, and what is sent again does not apply.
import type { BenchFixture } from './bench-fixture.ts'

/** What is wrong; empty when all is well. */
export async function findFaults(fixture: BenchFixture): Promise<string[]> {
  const { load, subjects, ports } = fixture
  const sums: Map<string, number> = await load.ask('sums', 'service')
  const repeated = await load.ask('repeatLast', { port: ports.service[0], ledger: 'service', subjects })
  const faults = repeated.wrong > 0 ? [`${repeated.wrong} of ${repeated.sent} repeated events applied`] : []
  return [...faults, ...(await compareTables(fixture, sums)), ...(await compareAnswers(fixture, sums))]
}

async function compareTables(
  { client, subjects }: BenchFixture,
  sums: Map<string, number>,
): Promise<string[]> {
  const { rows } = await client.query<{ customer_id: string; ledger: string; counters: string }>(
    `select c.customer_id,
       (select coalesce(sum(e.amount), 0) from usage_event e
        where e.customer_uid = c.customer_uid and e.feature_no = f.feature_no) as ledger,
       (select coalesce(sum(u.total), 0) from usage_counter u
        where u.customer_uid = c.customer_uid and u.feature_no = f.feature_no) as counters
     from customer c, feature f
     where f.feature_key = $1 and c.customer_id = any($2)`,
    [subjects.featureKey, [...sums.keys()]],
  )
  if (rows.length !== sums.size)
    return [`${sums.size} customers were written to, but ${rows.length} are there`]
  return rows.flatMap(({ customer_id, ledger, counters }) => {
    const expected = sums.get(customer_id)
    if (Number(ledger) === expected && Number(counters) === expected) return []
    return [`${customer_id}: ${expected} were answered, the ledger has ${ledger}, its counters ${counters}`]
  })
}

async function compareAnswers(
  { ports, subjects }: BenchFixture,
  sums: Map<string, number>,
): Promise<string[]> {
  const faults: string[] = []
  for (const [index, [customer, expected]] of [...sums].slice(0, 200).entries()) {
    // With a second instance both must agree.
    const port = ports.pair[index % ports.pair.length]
    const answer = await fetch(`http://127.0.0.1:${port}/v1/feature-access?customerId=${customer}`, {
      headers: { 'x-api-key': subjects.apiKeys[index % subjects.apiKeys.length] as string },
    })
    const map = (await answer.json()) as Record<string, { usage: { used: number } }>
    const used = map[subjects.featureKey]?.usage.used
    if (used !== expected) faults.push(`${customer}: ${expected} were answered, feature access shows ${used}`)
  }
  return faults
}
