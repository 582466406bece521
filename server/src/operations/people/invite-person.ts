// Inviting a person: a row without a password, and a link with which to choose one.
import { randomUUID } from 'node:crypto'
import { conflict, quote } from '../../domain/errors.ts'
import { type Role, toEmail } from '../../domain/people/role.ts'
import type { Database } from '../../storage/database.ts'
import {
  findPersonByEmail,
  insertPerson,
  listPeople,
  lockPeople,
  type StoredPerson,
} from '../../storage/people/people.ts'
import { logPeopleChange, type PeopleActing } from './acting.ts'
import { insertNewLink, type MadeLink } from './make-link.ts'

const peopleAtMost = 1000

export async function invitePerson(
  database: Database,
  acting: PeopleActing,
  input: { email: string; role: Role },
): Promise<{ person: StoredPerson; link: MadeLink }> {
  const email = toEmail(input.email)
  return database.inTransaction(async (sql) => {
    await lockPeople(sql)
    if (await findPersonByEmail(sql, email)) {
      throw conflict('person_exists', `There is a person with the email ${quote(email)} already.`)
    }
    if ((await listPeople(sql)).length >= peopleAtMost) {
      throw conflict('too_many_people', `An installation has at most ${peopleAtMost} people.`)
    }
    const shown = { personId: randomUUID(), email, name: null, role: input.role }
    const person = { ...shown, passwordHash: null, createdAt: acting.now, lastSeenAt: null }
    await insertPerson(sql, person)
    const link = await insertNewLink(sql, 'invite', person.personId)
    await logPeopleChange(sql, acting, { action: 'person.invite', subject: person.personId, after: shown })
    return { person, link }
  })
}
