// Keys given by configuration: accepted as full keys of their environment for as long as a running instance is configured with
// them. Each instance renews its own, so that one that starts with another key takes nobody's away.
import { randomUUID } from 'node:crypto'
import { type Environment, environments } from '../../domain/environment.ts'
import type { Database } from '../../storage/database.ts'
import { renewConfiguredKey } from '../../storage/keys/api-keys.ts'
import { hashSecret } from './api-keys.ts'

export const renewEveryMs = 30_000
// Some renewals may fail before a key is let go.
const leaseMs = 4 * renewEveryMs

export async function configureKeys(
  database: Database,
  apiKeys: Record<Environment, string | undefined>,
): Promise<void> {
  for (const environment of environments) {
    const secret = apiKeys[environment]
    if (secret === undefined) continue
    await renewConfiguredKey(database.pool, {
      keyId: randomUUID(),
      environment,
      secretHash: hashSecret(secret),
      lastFour: secret.slice(-4),
      leaseMs,
    })
  }
}
