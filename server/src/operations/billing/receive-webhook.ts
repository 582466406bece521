// Takes in a provider's webhook: genuine ones are stored before they are acknowledged, and worked off afterwards. Events of no
// concern are acknowledged and forgotten.
import type { Environment } from '../../domain/environment.ts'
import { invalid } from '../../domain/errors.ts'
import { InvalidWebhookError, type ProviderEvent } from '../../provider/provider.ts'
import { insertProviderEvents, type NewInboxEvent } from '../../storage/billing/provider-events.ts'
import type { Services } from '../services.ts'
import { getProvider } from './get-provider.ts'

export async function receiveWebhook(
  services: Services,
  environment: Environment,
  rawBody: Buffer,
  headers: Record<string, string | string[] | undefined>,
): Promise<void> {
  const now = Date.now()
  const provider = getProvider(services, environment)
  const header = headers[provider.webhookSignatureHeader]
  const signature = typeof header === 'string' ? header : undefined
  const event = readEvent(() => provider.readWebhook(rawBody, signature, now))
  if (!event) return
  await insertProviderEvents(services.database.pool, [toInboxEvent(environment, event)], now)
  services.wakeWorker()
}

function readEvent(read: () => ProviderEvent | undefined): ProviderEvent | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidWebhookError) throw invalid(error.message, 'invalid_webhook')
    throw error
  }
}

export const toInboxEvent = (
  environment: Environment,
  { eventId, type, createdAt, subject }: ProviderEvent,
): NewInboxEvent => ({
  environment,
  eventId,
  type,
  createdAt,
  subjectKind: subject.kind,
  subjectId: subject.id,
})
