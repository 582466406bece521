// Signing in with email and password. Who is not there, or has no password yet, costs the same work and gets the same answer.
import { RequestError } from '../../domain/errors.ts'
import { type Person, toEmail } from '../../domain/people/role.ts'
import type { Database } from '../../storage/database.ts'
import { findPersonByEmail } from '../../storage/people/people.ts'
import { deleteSession } from '../../storage/people/sessions.ts'
import { guardAttempt } from './guard-attempt.ts'
import { isPassword } from './password.ts'
import { openSession } from './session.ts'
import { hashToken } from './token.ts'

export type SignedIn = { person: Person; sessionToken: string }

type Attempt = {
  email: string
  password: string
  address: string
  /** What the browser was signed in with until now: it ends. */
  previousToken: string | undefined
}

export async function signIn(
  database: Database,
  { email, password, address, previousToken }: Attempt,
): Promise<SignedIn> {
  const account = toEmail(email)
  const person = await guardAttempt(database, { account, address }, async () => {
    const found = await findPersonByEmail(database.pool, account)
    return (await isPassword(password, found?.passwordHash)) ? found : undefined
  })
  if (!person) {
    throw new RequestError('unauthorized', 'wrong_password', 'The email or the password is not right.')
  }
  const sessionToken = await database.inTransaction(async (sql) => {
    const previousHash = previousToken && hashToken(previousToken)
    if (previousHash) await deleteSession(sql, previousHash)
    return openSession(sql, person.personId)
  })
  return { person, sessionToken }
}
