// Finds what was never delivered: the provider's own list of events is compared with the inbox.
import type { Environment } from '../../domain/environment.ts'
import type { ProviderEvent, ProviderPage } from '../../provider/provider.ts'
import {
  insertProviderEvents,
  readReconciledAt,
  writeReconciledAt,
} from '../../storage/billing/provider-events.ts'
import type { Services } from '../services.ts'
import { getProvider } from './get-provider.ts'
import { toInboxEvent } from './receive-webhook.ts'

// Events can appear in the list a little after their own time. Before the first look there was nothing to be told of.
const overlapMs = 10 * 60_000

/** Says how many events had not arrived. What was compared counts only when the list was read to its end. */
export async function reconcile(services: Services, environment: Environment): Promise<number> {
  const { database, wakeWorker } = services
  const provider = getProvider(services, environment)
  const startedAt = Date.now()
  const since = ((await readReconciledAt(database.pool, environment)) ?? startedAt) - overlapMs
  let found = 0
  let cursor: string | undefined
  do {
    const page: ProviderPage<ProviderEvent> = await provider.listEvents(since, cursor)
    const missed = page.items.map((event) => toInboxEvent(environment, event))
    found += await insertProviderEvents(database.pool, missed, startedAt)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  await writeReconciledAt(database.pool, environment, startedAt)
  if (found > 0) wakeWorker()
  return found
}
