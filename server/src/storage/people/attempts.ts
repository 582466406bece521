// Rows of attempts to sign in, by subject, for all instances. They are counted under their rows' locks, in sorted order.
import type { Attempts } from '../../domain/people/throttle.ts'
import type { Sql } from '../database.ts'

type Row = { subject: string; attempts: number; last_at: number; blocked_until: number; now: number }

/** The attempts of each subject in the order asked for, and the database's time, which all instances share. */
export async function lockAttempts(
  sql: Sql,
  subjects: string[],
): Promise<{ found: (Attempts | undefined)[]; now: number }> {
  await sql.query(
    `insert into sign_in_attempts (subject, attempts, last_at, blocked_until)
     select subject, 0, 0, 0 from unnest($1::text[]) subject order by subject on conflict do nothing`,
    [subjects],
  )
  const { rows } = await sql.query<Row>(
    `select subject, attempts, last_at, blocked_until, clock_ms() as now from sign_in_attempts
     where subject = any($1::text[]) order by subject for update`,
    [subjects],
  )
  const found = subjects.map((subject) => {
    const row = rows.find((each) => each.subject === subject)
    return row && { attempts: row.attempts, lastAt: row.last_at, blockedUntil: row.blocked_until }
  })
  return { found, now: Math.max(...rows.map((row) => row.now)) }
}

export async function saveAttempts(sql: Sql, subject: string, saved: Attempts): Promise<void> {
  await sql.query(
    `update sign_in_attempts set attempts = $2, last_at = $3, blocked_until = $4 where subject = $1`,
    [subject, saved.attempts, saved.lastAt, saved.blockedUntil],
  )
}

export async function deleteAttempts(sql: Sql, subject: string): Promise<void> {
  await sql.query(`delete from sign_in_attempts where subject = $1`, [subject])
}

export async function pruneAttempts(sql: Sql, forgottenAfterMs: number): Promise<void> {
  await sql.query(`delete from sign_in_attempts where last_at <= clock_ms() - $1::bigint`, [forgottenAfterMs])
}
