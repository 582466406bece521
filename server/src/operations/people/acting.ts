// Who changes people, and the log of it. People are of the installation, so their changes stand in the logs of both environments:
// each log is whole by itself.
import { environments } from '../../domain/environment.ts'
import type { LogEntry } from '../../domain/ledger/task.ts'
import { servicePrincipal } from '../../domain/principal.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import type { Sql } from '../../storage/database.ts'

/** People live in real time, whatever the test clock says. */
export type PeopleActing = { actor: string; now: number; requestId?: string | undefined }

export async function logPeopleChange(
  sql: Sql,
  { actor, now, requestId }: PeopleActing,
  entry: LogEntry,
): Promise<void> {
  for (const environment of environments) {
    const principal = { ...servicePrincipal(environment, actor), requestId }
    await insertAuditEntry(sql, { principal, now }, entry)
  }
}
