// Rows of sessions, found by the hash of what the cookie carries. They live in real time, by the database's clock, which all
// instances share.
import type { Person, Role } from '../../domain/people/role.ts'
import type { Sql } from '../database.ts'

type Row = { person_id: string; email: string; name: string | null; role: Role }

// Often enough to say when a person was last here, and no write at most requests.
const touchEveryMs = 60_000

/**
 * Who is signed in, as things are now: one statement a request, so that a person who was removed, or whose role was changed, is so
 * on every instance at once.
 */
export async function findSessionPerson(
  sql: Sql,
  tokenHash: string,
  idleMs: number,
): Promise<Person | undefined> {
  const { rows } = await sql.query<Row>({
    name: 'find-session-person',
    text: `
      with open as (
        select token_hash, person_id, seen_at from person_session
        where token_hash = decode($1, 'hex') and expires_at > clock_ms() and seen_at > clock_ms() - $2::bigint
      ), touched as (
        update person_session s set seen_at = clock_ms() from open
        where s.token_hash = open.token_hash and open.seen_at < clock_ms() - $3::bigint
        returning s.person_id
      ), seen as (
        update person p set last_seen_at = clock_ms() from touched where p.person_id = touched.person_id
      )
      select p.person_id, p.email, p.name, p.role from open join person p using (person_id)`,
    values: [tokenHash, idleMs, touchEveryMs],
  })
  const row = rows[0]
  return row && { personId: row.person_id, email: row.email, name: row.name, role: row.role }
}

export async function insertSession(
  sql: Sql,
  { tokenHash, personId, lastsMs }: { tokenHash: string; personId: string; lastsMs: number },
): Promise<void> {
  await sql.query(
    `with opened as (
       insert into person_session (token_hash, person_id, created_at, seen_at, expires_at)
       values (decode($1, 'hex'), $2, clock_ms(), clock_ms(), clock_ms() + $3::bigint)
     )
     update person set last_seen_at = clock_ms() where person_id = $2`,
    [tokenHash, personId, lastsMs],
  )
}

/** Leaves the ones seen last. */
export async function deleteSurplusSessions(sql: Sql, personId: string, kept: number): Promise<void> {
  await sql.query(
    `delete from person_session where token_hash in (
       select token_hash from person_session where person_id = $1 order by seen_at desc, created_at desc offset $2)`,
    [personId, kept],
  )
}

export async function deleteSession(sql: Sql, tokenHash: string): Promise<void> {
  await sql.query(`delete from person_session where token_hash = decode($1, 'hex')`, [tokenHash])
}

/** All of a person's, or all but the one they are using. */
export async function deleteSessionsOf(sql: Sql, personId: string, keptHash?: string): Promise<void> {
  await sql.query(
    `delete from person_session
     where person_id = $1 and ($2::text is null or token_hash <> decode($2, 'hex'))`,
    [personId, keptHash ?? null],
  )
}

export async function pruneSessions(sql: Sql, idleMs: number): Promise<void> {
  await sql.query(
    `delete from person_session where expires_at <= clock_ms() or seen_at <= clock_ms() - $1::bigint`,
    [idleMs],
  )
}
