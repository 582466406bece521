// What runs by itself: telling the provider of customers, working off its events, and looking for lost ones.
import { environments } from '../domain/environment.ts'
import { pruneCheckouts } from '../storage/checkouts.ts'
import { pruneProviderEvents } from '../storage/provider-events.ts'
import { linkDue } from './link-customer.ts'
import { purgeSome } from './purge-features.ts'
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
  let closed = false
  let wakeUp = () => {}
  let woken = false
  let reconciledAt = 0

  function wake(): void {
    woken = true
    wakeUp()
  }

  async function rest(): Promise<void> {
    if (woken || closed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, idleMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function attempt(doing: string, work: () => Promise<unknown>): Promise<void> {
    if (closed) return
    await work().catch((error) => onError(error, doing))
  }

  async function run(): Promise<void> {
    while (!closed) {
      woken = false
      await attempt('linking customers', () => linkDue(services))
      await attempt('working off provider events', () => workInbox(services))
      await attempt('purging deleted features', () => purgeSome(services))
      if (Date.now() - reconciledAt >= reconcileEveryMs) {
        reconciledAt = Date.now()
        for (const environment of environments) {
          await attempt('reconciling', () => reconcile(services, environment))
        }
        await attempt('pruning', () => pruneProviderEvents(services.database.pool, Date.now() - keptMs))
        await attempt('pruning', () => pruneCheckouts(services.database.pool, Date.now() - keptMs))
      }
      await rest()
    }
  }

  const running = run()
  return {
    wake,
    close: () => {
      closed = true
      wake()
      return running
    },
  }
}
