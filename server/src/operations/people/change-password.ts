// A person's own new password; whoever else is signed in as them is not any more.
import { RequestError } from '../../domain/errors.ts'
import { actorOf, type Person } from '../../domain/people/role.ts'
import type { Database } from '../../storage/database.ts'
import { deleteLinksOf } from '../../storage/people/links.ts'
import { findPerson, lockPeople, updatePersonPassword } from '../../storage/people/people.ts'
import { deleteSessionsOf } from '../../storage/people/sessions.ts'
import { logPeopleChange } from './acting.ts'
import { guardAttempt } from './guard-attempt.ts'
import { checkPassword, hashPassword, isPassword } from './password.ts'
import { hashToken } from './token.ts'

type Change = {
  person: Person
  sessionToken: string
  address: string
  currentPassword: string
  newPassword: string
  requestId: string
}

export async function changePassword(database: Database, change: Change): Promise<void> {
  const { personId, email } = change.person
  checkPassword(change.newPassword, email, 'newPassword')
  const known = await guardAttempt(database, { account: email, address: change.address }, async () => {
    const found = await findPerson(database.pool, personId)
    return (await isPassword(change.currentPassword, found?.passwordHash)) ? found : undefined
  })
  if (!known) {
    throw new RequestError('unauthorized', 'wrong_password', 'currentPassword is not right.')
  }
  const passwordHash = await hashPassword(change.newPassword)
  await database.inTransaction(async (sql) => {
    await lockPeople(sql)
    const before = await findPerson(sql, personId)
    if (!before || before.passwordHash !== known.passwordHash) {
      throw new RequestError('conflict', 'password_changed', 'The password was changed by others meanwhile.')
    }
    await updatePersonPassword(sql, personId, { passwordHash, name: before.name })
    await deleteSessionsOf(sql, personId, hashToken(change.sessionToken))
    await deleteLinksOf(sql, personId)
    const acting = { actor: actorOf(before), now: Date.now(), requestId: change.requestId }
    await logPeopleChange(sql, acting, { action: 'person.password', subject: personId })
  })
}
