// The keys of an environment with what each was asked for in the window of the moment.
import { type ApiKey, listKeyWindows, listApiKeys as listStored } from '../../storage/keys/api-keys.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export type ListedKey = ApiKey & { requests10s: number; writes10s: number }

export async function listApiKeys({ database }: Services, { principal }: Context): Promise<ListedKey[]> {
  const keys = await listStored(database.pool, principal.environment)
  const windows = await listKeyWindows(database.pool, principal.environment)
  const byKey = new Map(windows.map((window) => [window.keyId, window]))
  return keys.map((key) => {
    const { reads = 0, writes = 0 } = byKey.get(key.keyId) ?? {}
    return { ...key, requests10s: reads + writes, writes10s: writes }
  })
}
