// Remembers when keys were last used: at most once a minute a key, and nobody waits for it.

import type { Database } from '../../storage/database.ts'
import { touchApiKeys } from '../../storage/keys/api-keys.ts'

const everyMs = 60_000
const keysAtMost = 10_000

export function createKeyUse(database: Database): { note(keyId: string): void; close(): Promise<void> } {
  const notedAt = new Map<string, number>()
  let pending = new Set<string>()

  function note(keyId: string): void {
    const now = Date.now()
    if (now - (notedAt.get(keyId) ?? 0) < everyMs) return
    if (notedAt.size >= keysAtMost) notedAt.clear()
    notedAt.set(keyId, now)
    pending.add(keyId)
  }

  async function flush(): Promise<void> {
    if (pending.size === 0) return
    const keyIds = [...pending]
    pending = new Set()
    // A use that could not be noted now is noted a minute later.
    await touchApiKeys(database.pool, keyIds, Date.now()).catch(() => {})
  }

  const timer = setInterval(flush, 1_000)
  timer.unref()
  return {
    note,
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
