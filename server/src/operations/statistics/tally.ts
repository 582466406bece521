// Counts refusals and requests in memory, and adds them to the database every ten seconds: nobody waits for it, and a crash may
// lose some.
import type { Database } from '../../storage/database.ts'
import {
  addRefusals,
  addRequests,
  type RefusalCount,
  type RequestCount,
} from '../../storage/statistics/tallies.ts'

export type Tally = {
  /** For want of access or allowance; `at` is business time. */
  noteRefusal(featureNo: number, reason: string, at: number): void
  noteRequest(keyId: string, kind: 'requests' | 'limited' | 'failed'): void
  /** Adds to the database what was counted until now. */
  flush(): Promise<void>
  close(): Promise<void>
}

const everyMs = 10_000
const hourMs = 3_600_000
const minuteMs = 60_000
/** Beyond so many at once further ones are not counted: keys and features are few, and an attack is not to be kept. */
const countsAtMost = 5_000

export function createTally(database: Database): Tally {
  let refusals = new Map<string, RefusalCount>()
  let requests = new Map<string, RequestCount>()

  function noteRefusal(featureNo: number, reason: string, at: number): void {
    const hourAt = at - (at % hourMs)
    const name = `${featureNo}/${reason}/${hourAt}`
    const count = refusals.get(name)
    if (count) count.refusals++
    else if (refusals.size < countsAtMost) refusals.set(name, { featureNo, hourAt, reason, refusals: 1 })
  }

  // The minute is that of the flush: a clock asked by every request would cost more than all the rest.
  function noteRequest(keyId: string, kind: 'requests' | 'limited' | 'failed'): void {
    let count = requests.get(keyId)
    if (!count) {
      if (requests.size >= countsAtMost) return
      count = { keyId, minuteAt: 0, requests: 0, limited: 0, failed: 0 }
      requests.set(keyId, count)
    }
    count[kind]++
  }

  async function flush(): Promise<void> {
    const minuteAt = Math.floor(Date.now() / minuteMs) * minuteMs
    const refused = [...refusals.values()]
    const asked = [...requests.values()].map((each) => ({ ...each, minuteAt }))
    refusals = new Map()
    requests = new Map()
    // What could not be added is lost, like what a crash loses.
    if (refused.length > 0) await addRefusals(database.pool, refused).catch(() => {})
    if (asked.length > 0) await addRequests(database.pool, asked).catch(() => {})
  }

  const timer = setInterval(flush, everyMs)
  timer.unref()
  return {
    noteRefusal,
    noteRequest,
    flush,
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
