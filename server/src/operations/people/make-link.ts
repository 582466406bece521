// Links that let somebody in: the first person of an installation, an invited one, or one who forgot the password. The address
// is shown once, to whoever asked for it; nothing is sent anywhere.
import { missing } from '../../domain/errors.ts'
import type { Database, Sql } from '../../storage/database.ts'
import { deleteLinksOf, insertLink, type LinkKind } from '../../storage/people/links.ts'
import { findPerson, hasPeople, lockPeople, type StoredPerson } from '../../storage/people/people.ts'
import { logPeopleChange, type PeopleActing } from './acting.ts'
import { hashToken, makeToken } from './token.ts'

const lastsMs: Record<LinkKind, number> = { first: 900_000, invite: 7 * 86_400_000, reset: 3_600_000 }

export type MadeLink = { path: string; expiresAt: number }

/** Those before it stop working: only the newest link of a person is good. */
export async function insertNewLink(sql: Sql, kind: LinkKind, personId: string | null): Promise<MadeLink> {
  const token = makeToken()
  await deleteLinksOf(sql, personId)
  const tokenHash = hashToken(token) as string
  const expiresAt = await insertLink(sql, { tokenHash, kind, personId, lastsMs: lastsMs[kind] })
  return { path: `/${kind === 'first' ? 'login' : 'join'}?token=${token}`, expiresAt }
}

/** Undefined when there is somebody already, who can let others in. */
export async function makeFirstLink(database: Database): Promise<MadeLink | undefined> {
  return database.inTransaction(async (sql) => {
    await lockPeople(sql)
    return (await hasPeople(sql)) ? undefined : insertNewLink(sql, 'first', null)
  })
}

/** An invitation for whoever has not joined yet, a new password for whoever has. */
export async function makeLink(
  database: Database,
  acting: PeopleActing,
  personId: string,
): Promise<MadeLink> {
  return database.inTransaction(async (sql) => {
    await lockPeople(sql)
    const person = await getPerson(sql, personId)
    const kind = person.passwordHash === null ? 'invite' : 'reset'
    const link = await insertNewLink(sql, kind, personId)
    const { expiresAt } = link
    await logPeopleChange(sql, acting, {
      action: 'person.link',
      subject: personId,
      after: { kind, expiresAt },
    })
    return link
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function getPerson(sql: Sql, personId: string): Promise<StoredPerson> {
  const person = uuid.test(personId) ? await findPerson(sql, personId) : undefined
  if (!person) throw missing('person', personId)
  return person
}
