// Finds what was never delivered: the provider's own list of events is compared with the inbox.
import type { Environment } from '../domain/environment.ts'
import { eachItem } from '../provider/provider.ts'
import {
  insertProviderEvents,
  type NewInboxEvent,
  readReconciledAt,
  writeReconciledAt,
} from '../storage/provider-events.ts'
import { toInboxEvent } from './receive-webhook.ts'
import type { Services } from './services.ts'

// Events can appear in the list a little after their own time, and a first look goes back as far as providers keep them.
const overlapMs = 10 * 60_000
const firstLookMs = 30 * 86_400_000
const eventsAtMost = 10_000

/** Says how many events had not arrived. */
export async function reconcile(services: Services, environment: Environment): Promise<number> {
  const { database, providers } = services
  const startedAt = Date.now()
  const since = ((await readReconciledAt(database.pool, environment)) ?? startedAt - firstLookMs) - overlapMs
  const missed: NewInboxEvent[] = []
  for await (const event of eachItem((cursor) => providers[environment].listEvents(since, cursor))) {
    if (event.subject.kind !== 'other') missed.push(toInboxEvent(environment, event))
    if (missed.length >= eventsAtMost) break
  }
  const found = await insertProviderEvents(database.pool, missed, startedAt)
  await writeReconciledAt(database.pool, environment, startedAt)
  return found
}
