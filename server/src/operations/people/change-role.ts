// Giving a person another role; it holds from the next request on, on every instance.
import type { Role } from '../../domain/people/role.ts'
import type { Database } from '../../storage/database.ts'
import { lockPeople, type StoredPerson, updatePersonRole } from '../../storage/people/people.ts'
import { logPeopleChange, type PeopleActing } from './acting.ts'
import { checkAdminLeft } from './last-admin.ts'
import { getPerson } from './make-link.ts'

export async function changeRole(
  database: Database,
  acting: PeopleActing,
  { personId, role }: { personId: string; role: Role },
): Promise<StoredPerson> {
  return database.inTransaction(async (sql) => {
    await lockPeople(sql)
    const before = await getPerson(sql, personId)
    if (role !== 'admin') await checkAdminLeft(sql, before)
    await updatePersonRole(sql, personId, role)
    await logPeopleChange(sql, acting, {
      action: 'person.role',
      subject: personId,
      before: { email: before.email, role: before.role },
      after: { email: before.email, role },
    })
    return { ...before, role }
  })
}
