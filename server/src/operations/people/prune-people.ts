// Clears away sessions and links that are over, and attempts that no longer count.
import { forgottenAfterMs } from '../../domain/people/throttle.ts'
import type { Sql } from '../../storage/database.ts'
import { pruneAttempts } from '../../storage/people/attempts.ts'
import { pruneLinks } from '../../storage/people/links.ts'
import { pruneSessions } from '../../storage/people/sessions.ts'
import { sessionIdleMs } from './session.ts'

export async function prunePeople(sql: Sql): Promise<void> {
  await pruneSessions(sql, sessionIdleMs)
  await pruneLinks(sql)
  await pruneAttempts(sql, forgottenAfterMs)
}
