// What runs by itself: telling the provider of customers, working off its events, looking for lost ones, keeping statistics, clearing away.
import { pruneCheckouts } from '../storage/billing/checkouts.ts'
import { pruneProviderEvents } from '../storage/billing/provider-events.ts'
import { pruneTallies } from '../storage/statistics/tallies.ts'
import { listProvided } from './billing/get-provider.ts'
import { linkDue } from './billing/link-customer.ts'
import { closeSuperseded } from './billing/open-checkout-session.ts'
import { reconcile } from './billing/reconcile.ts'
import { workInbox } from './billing/work-inbox.ts'
import { purgeCustomers, purgeFeatures } from './customers/purge.ts'
import { resumeDemo } from './demo/make-demo.ts'
import { startJob } from './job.ts'
import { prunePeople } from './people/prune-people.ts'
import { resumeImports } from './products/import-products.ts'
import type { Services } from './services.ts'
import { keepStatistics } from './statistics/keep-statistics.ts'

export type BackgroundWork = { wake(): void; close(): Promise<void> }

const idleMs = 1_000
const reconcileEveryMs = 60_000
const statisticsEveryMs = 3_000
const keptMs = 30 * 86_400_000
const requestsKeptMs = 8 * 86_400_000

/** `onError` is told what went wrong; the work is tried again all the same. */
export function startBackgroundWork(
  services: Services,
  onError: (error: unknown, doing: string) => void,
): BackgroundWork {
  const inbox = ['working off provider events', idleMs, () => workInbox(services)] as const
  // Each goes on by itself, so that a provider that keeps one waiting does not hold up the others; the inbox has two.
  const jobs = [
    startJob('linking customers', idleMs, () => linkDue(services), onError),
    startJob(...inbox, onError),
    startJob(...inbox, onError),
    ...listProvided(services).map((environment) =>
      startJob(
        'reconciling',
        reconcileEveryMs,
        () => reconcile(services, environment).then(() => 0),
        onError,
      ),
    ),
    startJob('importing catalogues', reconcileEveryMs, () => resumeImports(services), onError),
    startJob('closing superseded checkouts', reconcileEveryMs, () => closeSuperseded(services), onError),
    startJob('purging deleted features', idleMs, () => purgeFeatures(services), onError),
    startJob('purging deleted customers', idleMs, () => purgeCustomers(services), onError),
    startJob('keeping statistics', statisticsEveryMs, () => keepStatistics(services), onError),
    startJob('making demo data', idleMs, () => resumeDemo(services), onError),
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
  await pruneTallies(database.pool, { refusalsBefore: before, requestsBefore: Date.now() - requestsKeptMs })
  await prunePeople(database.pool)
  return 0
}
