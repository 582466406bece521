// Using a link: the first person becomes the admin, an invited one joins, a known one gets a new password; each is signed in.
import { randomUUID } from 'node:crypto'
import { invalid } from '../../domain/errors.ts'
import { actorOf, nameFromEmail, type Person, toEmail } from '../../domain/people/role.ts'
import type { Database, Sql } from '../../storage/database.ts'
import { deleteLinksOf, type PersonLink, useLink } from '../../storage/people/links.ts'
import { findPerson, insertPerson, lockPeople, updatePersonPassword } from '../../storage/people/people.ts'
import { deleteSessionsOf } from '../../storage/people/sessions.ts'
import { logPeopleChange } from './acting.ts'
import { getLink, noSuchLink } from './get-link.ts'
import { forgetAttempts } from './guard-attempt.ts'
import { checkPassword, hashPassword } from './password.ts'
import { openSession } from './session.ts'
import type { SignedIn } from './sign-in.ts'
import { hashToken } from './token.ts'

type Input = {
  token: string
  email?: string | undefined
  name?: string | undefined
  password: string
  requestId: string
}

type Accepted = { passwordHash: string; name: string | undefined; now: number }

export async function acceptLink(database: Database, input: Input): Promise<SignedIn> {
  const link = await getLink(database, input.token)
  const email = emailFor(link, input.email)
  checkPassword(input.password, email, 'password')
  const accepted = {
    passwordHash: await hashPassword(input.password),
    name: link.kind === 'reset' ? undefined : input.name,
    now: Date.now(),
  }
  return database.inTransaction(async (sql) => {
    await lockPeople(sql)
    if (!(await useLink(sql, hashToken(input.token) as string))) throw noSuchLink()
    const person =
      link.personId === null
        ? await insertFirst(sql, email, accepted)
        : await setPassword(sql, link.personId, accepted)
    await deleteLinksOf(sql, link.personId)
    await deleteSessionsOf(sql, person.personId)
    await forgetAttempts(sql, person.email)
    const acting = { actor: actorOf(person), now: accepted.now, requestId: input.requestId }
    const action = link.kind === 'reset' ? 'person.password' : 'person.join'
    await logPeopleChange(sql, acting, { action, subject: person.personId, after: person })
    return { person, sessionToken: await openSession(sql, person.personId) }
  })
}

function emailFor({ kind, email }: PersonLink, given: string | undefined): string {
  if (kind !== 'first') {
    if (given !== undefined && toEmail(given) !== email) throw invalid('email is not the one of this link.')
    return email as string
  }
  if (given === undefined) throw invalid('email is required.', 'missing_field')
  return toEmail(given)
}

async function insertFirst(sql: Sql, email: string, { passwordHash, name, now }: Accepted): Promise<Person> {
  const person = { personId: randomUUID(), email, name: name ?? nameFromEmail(email), role: 'admin' as const }
  await insertPerson(sql, { ...person, passwordHash, createdAt: now, lastSeenAt: null })
  return person
}

async function setPassword(sql: Sql, personId: string, accepted: Accepted): Promise<Person> {
  const before = await findPerson(sql, personId)
  if (!before) throw noSuchLink()
  const name = accepted.name ?? before.name ?? nameFromEmail(before.email)
  await updatePersonPassword(sql, personId, { passwordHash: accepted.passwordHash, name })
  return { personId, email: before.email, name, role: before.role }
}
