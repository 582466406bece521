// Ends the session that a person is using.
import type { Database } from '../../storage/database.ts'
import { deleteSession } from '../../storage/people/sessions.ts'
import { hashToken } from './token.ts'

export async function signOut(database: Database, sessionToken: string): Promise<void> {
  const tokenHash = hashToken(sessionToken)
  if (tokenHash !== undefined) await deleteSession(database.pool, tokenHash)
}
