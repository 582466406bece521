// Keys given by configuration: accepted as full keys of their environment for as long as they are configured.
import { randomUUID } from 'node:crypto'
import { type Environment, environments } from '../../domain/environment.ts'
import type { Database } from '../../storage/database.ts'
import { insertApiKey, revokeConfiguredKeys } from '../../storage/keys/api-keys.ts'
import { hashSecret } from './api-keys.ts'

export async function configureKeys(
  database: Database,
  apiKeys: Record<Environment, string | undefined>,
  now: number,
): Promise<void> {
  await database.inTransaction(async (sql) => {
    const hashes: string[] = []
    for (const environment of environments) {
      const secret = apiKeys[environment]
      if (secret === undefined) continue
      const secretHash = hashSecret(secret)
      hashes.push(secretHash)
      await insertApiKey(sql, {
        keyId: randomUUID(),
        environment,
        name: 'from configuration',
        scope: 'full',
        secretHash,
        lastFour: secret.slice(-4),
        source: 'configured',
        createdAt: now,
        expiresAt: null,
      })
    }
    await revokeConfiguredKeys(sql, hashes, now)
  })
}
