// Removing a person: their sessions and links end with them, at once and everywhere; what they did stays in the log.
import type { Database } from '../../storage/database.ts'
import { deletePerson, lockPeople } from '../../storage/people/people.ts'
import { logPeopleChange, type PeopleActing } from './acting.ts'
import { checkAdminLeft } from './last-admin.ts'
import { getPerson } from './make-link.ts'

export async function removePerson(
  database: Database,
  acting: PeopleActing,
  personId: string,
): Promise<void> {
  await database.inTransaction(async (sql) => {
    await lockPeople(sql)
    const person = await getPerson(sql, personId)
    await checkAdminLeft(sql, person)
    await deletePerson(sql, personId)
    const { email, name, role } = person
    await logPeopleChange(sql, acting, {
      action: 'person.remove',
      subject: personId,
      before: { personId, email, name, role },
    })
  })
}
