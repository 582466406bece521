// The log of changes of an environment, newest first.
import {
  type AuditEntry,
  type AuditFilter,
  listAuditEntries as listStored,
} from '../../storage/audit/audit-log.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export async function listAuditEntries(
  { database }: Services,
  { principal }: Context,
  filter: Omit<AuditFilter, 'environment'>,
): Promise<{ entries: AuditEntry[]; next: number | undefined }> {
  const { environment } = principal
  const found = await listStored(database.pool, { ...filter, environment, limit: filter.limit + 1 })
  const entries = found.slice(0, filter.limit)
  return { entries, next: found.length > filter.limit ? entries.at(-1)?.entryNo : undefined }
}
