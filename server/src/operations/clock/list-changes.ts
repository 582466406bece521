// What was changed in a span of the test environment's time, newest first: what moving the clock brought about.
import { invalid } from '../../domain/errors.ts'
import { type AuditEntry, listChangesBetween } from '../../storage/audit/audit-log.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

const changesAtMost = 200

export async function listChanges(
  { database }: Services,
  { principal }: Context,
  { from, to }: { from: number; to: number },
): Promise<AuditEntry[]> {
  if (from > to) throw invalid('from must not lie after to.')
  return listChangesBetween(database.pool, principal.environment, { from, to, limit: changesAtMost })
}
