// Sessions: opened when a person signs in, looked up at every request, ended by time, by the person or with the person.
import type { Person } from '../../domain/people/role.ts'
import type { Database, Sql } from '../../storage/database.ts'
import { deleteSurplusSessions, findSessionPerson, insertSession } from '../../storage/people/sessions.ts'
import { hashToken, makeToken } from './token.ts'

/** Whoever was not seen for this long signs in again. */
export const sessionIdleMs = 12 * 3_600_000
/** And so does everybody after this long. */
export const sessionLastsMs = 14 * 86_400_000

/** More browsers than anybody has. */
const sessionsAtMost = 50

/** Always under a new secret: one that the browser brought along is never taken over. */
export async function openSession(sql: Sql, personId: string): Promise<string> {
  const token = makeToken()
  await insertSession(sql, { tokenHash: hashToken(token) as string, personId, lastsMs: sessionLastsMs })
  await deleteSurplusSessions(sql, personId, sessionsAtMost)
  return token
}

export async function findSession(database: Database, token: string): Promise<Person | undefined> {
  const tokenHash = hashToken(token)
  return tokenHash === undefined ? undefined : findSessionPerson(database.pool, tokenHash, sessionIdleMs)
}
