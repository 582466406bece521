// What runs by itself: telling the provider of customers, working off its events, and looking for lost ones.
import { environments } from '../domain/environment.ts'
import { pruneCheckouts } from '../storage/checkouts.ts'
import { pruneProviderEvents } from '../storage/provider-events.ts'
import { linkDue } from './link-customer.ts'
import { reconcile } from './reconcile.ts'
import type { Services } from './services.ts'
import { workInbox } from './work-inbox.ts'

export type ProviderWorker = { wake(): void; close(): Promise<void> }

const idleMs = 1_000
const reconcileEveryMs = 60_000
const keptMs = 30 * 86_400_000

/** `onError` is told what went wrong; the work is tried again all the same. */
export function startProviderWorker(
  services: Services,
  onError: (error: unknown, doing: string) => void,
): ProviderWorker {
  const inbox = ['working off provider events', idleMs, () => workInbox(services)] as const
  // Each goes on by itself, so that a provider that keeps one waiting does not hold up the others; the inbox has two.
  const jobs = [
    startJob('linking customers', idleMs, () => linkDue(services), onError),
    startJob(...inbox, onError),
    startJob(...inbox, onError),
    ...environments.map((environment) =>
      startJob(
        'reconciling',
        reconcileEveryMs,
        () => reconcile(services, environment).then(() => 0),
        onError,
      ),
    ),
    startJob('pruning', reconcileEveryMs, () => prune(services), onError),
  ]
  return {
    wake: () => {
      for (const job of jobs) if (job.restMs === idleMs) job.wake()
    },
    close: async () => {
      await Promise.all(jobs.map((job) => job.close()))
    },
  }
}

async function prune({ database }: Services): Promise<number> {
  const before = Date.now() - keptMs
  await pruneProviderEvents(database.pool, before)
  await pruneCheckouts(database.pool, before)
  return 0
}

type Job = { restMs: number; wake(): void; close(): Promise<void> }

/** Works again at once while there was something to do, else after a rest or when woken. */
function startJob(
  doing: string,
  restMs: number,
  work: () => Promise<number>,
  onError: (error: unknown, doing: string) => void,
): Job {
  let closed = false
  let woken = false
  let wakeUp = () => {}

  function wake(): void {
    woken = true
    wakeUp()
  }

  async function rest(): Promise<void> {
    if (woken || closed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, restMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function run(): Promise<void> {
    while (!closed) {
      woken = false
      const done = await work().catch((error) => {
        onError(error, doing)
        return 0
      })
      if (done === 0) await rest()
    }
  }

  const running = run()
  return {
    restMs,
    wake,
    close: () => {
      closed = true
      wake()
      return running
    },
  }
}
