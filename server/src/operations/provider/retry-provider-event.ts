// Has an event of the payment provider that waits, or failed, worked off now.
import { conflict, missing } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { hastenInboxEvent } from '../../storage/billing/inbox.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export async function retryProviderEvent(
  services: Services,
  { principal, now }: Context,
  eventId: string,
): Promise<void> {
  await services.database.inTransaction(async (sql) => {
    const found = await hastenInboxEvent(sql, principal.environment, eventId, Date.now())
    if (found === 'missing') throw missing('provider event', eventId)
    if (found === 'done') throw conflict('provider_event_done', 'The event was worked off already.')
    await insertAuditEntry(sql, { principal, now }, { action: 'provider_event.retry', subject: eventId })
  })
  services.wakeWorker()
}
