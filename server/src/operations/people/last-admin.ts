// The rule that somebody who can let others in remains; whoever asks holds the lock of people.
import { conflict } from '../../domain/errors.ts'
import type { Sql } from '../../storage/database.ts'
import { countAdmins, type StoredPerson } from '../../storage/people/people.ts'

/** Refuses to take the last admin who can sign in. */
export async function checkAdminLeft(sql: Sql, person: StoredPerson): Promise<void> {
  if (person.role !== 'admin' || person.passwordHash === null) return
  if ((await countAdmins(sql)) > 1) return
  throw conflict('last_admin', 'This is the last admin; make somebody else one first.')
}
