// Takes in a provider's webhook: genuine ones are stored before they are acknowledged, and worked off afterwards.
import type { Environment } from '../../domain/environment.ts'
import { invalid } from '../../domain/errors.ts'
import { InvalidWebhookError, type ProviderEvent } from '../../provider/provider.ts'
import { insertProviderEvents, type NewInboxEvent } from '../../storage/billing/provider-events.ts'
import type { Services } from '../services.ts'

export async function receiveWebhook(
  { database, providers, wakeWorker }: Services,
  environment: Environment,
  rawBody: Buffer,
  signature: string | undefined,
): Promise<void> {
  const now = Date.now()
  const event = readEvent(() => providers[environment].readWebhook(rawBody, signature, now))
  await insertProviderEvents(database.pool, [toInboxEvent(environment, event)], now)
  wakeWorker()
}

function readEvent(read: () => ProviderEvent): ProviderEvent {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidWebhookError) throw invalid(error.message, 'invalid_webhook')
    throw error
  }
}

/** A checkout session matters for its customer. */
export function toInboxEvent(
  environment: Environment,
  { eventId, type, createdAt, subject }: ProviderEvent,
): NewInboxEvent {
  const ofCustomer = subject.kind === 'checkout_session' && subject.providerCustomerId !== null
  return {
    environment,
    eventId,
    type,
    createdAt,
    subjectKind: ofCustomer ? 'customer' : subject.kind,
    subjectId: ofCustomer ? (subject.providerCustomerId as string) : subject.id,
  }
}
