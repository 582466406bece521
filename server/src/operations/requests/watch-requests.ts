// Watching the requests of an environment as they are answered, by whatever instance, with the names of their keys.
import type { Environment } from '../../domain/environment.ts'
import { findRefusal, type Person } from '../../domain/people/role.ts'
import { listApiKeys } from '../../storage/keys/api-keys.ts'
import { findSession } from '../people/session.ts'
import type { Services } from '../services.ts'
import { createBucket } from './bucket.ts'
import type { RequestLine } from './request-log.ts'

export type ShownLine = RequestLine & { keyName: string | null }

type Shown = {
  /** False when the watcher cannot keep up. */
  onLine(line: ShownLine): boolean
  onDropped(count: number): void
  /** No more comes: the person may not watch any longer, or the service is closing. */
  onEnd(): void
}

const linesPerSecond = 50
const lookEveryMs = 2_000

export function watchRequests(
  services: Pick<Services, 'database' | 'requestLog'>,
  { environment, sessionToken }: { environment: Environment; sessionToken: string },
  shown: Shown,
): () => void {
  const { database, requestLog } = services
  const bucket = createBucket(linesPerSecond)
  let names = new Map<string, string>()
  let dropped = 0
  let namesAreOld = true

  async function look(): Promise<void> {
    try {
      const person: Person | undefined = await findSession(database, sessionToken)
      if (!person || findRefusal(person.role, 'read', environment)) return shown.onEnd()
      if (!namesAreOld) return
      namesAreOld = false
      const keys = await listApiKeys(database.pool, environment)
      names = new Map(keys.map(({ keyId, name }) => [keyId, name]))
    } catch {
      // The database is away; who was let in stays so until it can be asked again.
      namesAreOld = true
    }
  }

  const stop = requestLog.watch(environment, {
    onLine: (line) => {
      const keyName = names.get(line.keyId) ?? null
      if (keyName === null) namesAreOld = true
      if (!bucket.take(Date.now()) || !shown.onLine({ ...line, keyName })) dropped++
    },
    onDropped: (count) => {
      dropped += count
    },
    onEnd: shown.onEnd,
  })
  const telling = setInterval(() => {
    if (dropped > 0) shown.onDropped(dropped)
    dropped = 0
  }, 1_000).unref()
  const looking = setInterval(look, lookEveryMs).unref()
  void look()
  return () => {
    clearInterval(telling)
    clearInterval(looking)
    stop()
  }
}
