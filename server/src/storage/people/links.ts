// Rows of the links that let a person in without a password, found by the hash of their token. Using one deletes it.
import type { Sql } from '../database.ts'

export type LinkKind = 'first' | 'invite' | 'reset'

export type PersonLink = { kind: LinkKind; personId: string | null; email: string | null }

type Row = { kind: LinkKind; person_id: string | null; email: string | null }

const fromRow = (row: Row): PersonLink => ({ kind: row.kind, personId: row.person_id, email: row.email })

/** The first link is over as soon as there is anybody. */
const open = `
  l.expires_at > clock_ms() and (l.kind <> 'first' or not exists (select from person))`

export async function findLink(sql: Sql, tokenHash: string): Promise<PersonLink | undefined> {
  const { rows } = await sql.query<Row>(
    `select l.kind, l.person_id, p.email from person_link l left join person p using (person_id)
     where l.token_hash = decode($1, 'hex') and ${open}`,
    [tokenHash],
  )
  return rows[0] && fromRow(rows[0])
}

/** Of two who use it at the same time, the row's lock lets one have it. */
export async function useLink(sql: Sql, tokenHash: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `delete from person_link l where l.token_hash = decode($1, 'hex') and ${open}`,
    [tokenHash],
  )
  return rowCount === 1
}

export async function insertLink(
  sql: Sql,
  link: { tokenHash: string; kind: LinkKind; personId: string | null; lastsMs: number },
): Promise<number> {
  const { rows } = await sql.query<{ expires_at: number }>(
    `insert into person_link (token_hash, kind, person_id, created_at, expires_at)
     values (decode($1, 'hex'), $2, $3, clock_ms(), clock_ms() + $4::bigint) returning expires_at`,
    [link.tokenHash, link.kind, link.personId, link.lastsMs],
  )
  return (rows[0] as { expires_at: number }).expires_at
}

/** A new link takes the place of those before it; null stands for the links of nobody yet. */
export async function deleteLinksOf(sql: Sql, personId: string | null): Promise<void> {
  await sql.query(`delete from person_link where person_id is not distinct from $1::uuid`, [personId])
}

export async function pruneLinks(sql: Sql): Promise<void> {
  await sql.query(`delete from person_link where expires_at <= clock_ms()`)
}
