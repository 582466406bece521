// The admin that configuration names: made at the first start with its password, and an admin again at every later one. A password
// that was changed since stays as it is.
import { randomUUID } from 'node:crypto'
import { nameFromEmail } from '../../domain/people/role.ts'
import type { Database } from '../../storage/database.ts'
import {
  findPersonByEmail,
  insertPerson,
  lockPeople,
  updatePersonPassword,
  updatePersonRole,
} from '../../storage/people/people.ts'
import { logPeopleChange } from './acting.ts'
import { hashPassword } from './password.ts'

export type ConfiguredAdmin = { email: string; password: string }

export async function ensureAdmin(database: Database, { email, password }: ConfiguredAdmin): Promise<void> {
  const known = await findPersonByEmail(database.pool, email)
  if (known?.role === 'admin' && known.passwordHash !== null) return
  const passwordHash = await hashPassword(password)
  const acting = { actor: 'configuration', now: Date.now() }
  await database.inTransaction(async (sql) => {
    await lockPeople(sql)
    const before = await findPersonByEmail(sql, email)
    const personId = before?.personId ?? randomUUID()
    const role = 'admin' as const
    if (!before) {
      await insertPerson(sql, {
        personId,
        email,
        name: nameFromEmail(email),
        role,
        passwordHash,
        createdAt: acting.now,
        lastSeenAt: null,
      })
    } else {
      if (before.passwordHash === null)
        await updatePersonPassword(sql, personId, { passwordHash, name: before.name ?? nameFromEmail(email) })
      await updatePersonRole(sql, personId, role)
    }
    await logPeopleChange(sql, acting, {
      action: 'person.configure',
      subject: personId,
      after: { email, role },
    })
  })
}
