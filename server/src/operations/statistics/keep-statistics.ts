// The job that keeps what the dashboard's charts and lists are drawn from, some customers at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import { computeValidUntil } from '../../domain/access/feature-access.ts'
import { findMainProduct } from '../../domain/access/held-products.ts'
import { computeStandings } from '../../domain/access/standing.ts'
import { type Environment, environments } from '../../domain/environment.ts'
import { type RollUp, rollUp } from '../../storage/statistics/roll-up.ts'
import { saveStandings } from '../../storage/statistics/standings.ts'
import {
  confirmTurn,
  findPresent,
  finishTurn,
  isAnythingDue,
  type Turn,
  takeTurn,
} from '../../storage/statistics/turn.ts'
import type { CustomerView } from '../customers/read-customer.ts'
import type { Services } from '../services.ts'
import { loadViews } from './complete-states.ts'

type Keeping = Pick<Services, 'database' | 'catalogues'>

const customersAtOnce = 200
// The job shares its process with requests, and leaves them at least half of the time.
const pausePerWork = 1
const soonestMs = 60_000

/** How long a write waits to be summed up, beside the time until the job looks; 0 in tests. */
type Options = { waitMs?: number }

/** Says for how many customers nothing is left to do. */
export async function keepStatistics(services: Keeping): Promise<number> {
  let customers = 0
  for (const environment of environments) {
    const startedAt = performance.now()
    const done = await takeOneTurn(services, environment)
    if (done > 0) await sleep((performance.now() - startedAt) * pausePerWork)
    customers += done
  }
  return customers
}

/** Everything that is due, for tests and for whoever waits for it. */
export async function catchUp(services: Keeping, environment: Environment): Promise<void> {
  while (await isAnythingDue(services.database.pool, environment, 0)) {
    if ((await takeOneTurn(services, environment, { waitMs: 0 })) === 0) await sleep(20)
  }
}

async function takeOneTurn(
  services: Keeping,
  environment: Environment,
  { waitMs = 15_000 }: Options = {},
): Promise<number> {
  const { database } = services
  if (!(await isAnythingDue(database.pool, environment, waitMs))) return 0
  const turn = await database.inTransaction((sql) =>
    takeTurn(sql, environment, { limit: customersAtOnce, waitMs }),
  )
  if (!turn) return 0
  return workTurn(services, environment, turn)
}

/** Says how many are done: one that changes without rest is none, or the job would not rest either. What a crash leaves is due still. */
export async function workTurn(services: Keeping, environment: Environment, turn: Turn): Promise<number> {
  const due = new Map(turn.due.map((each) => [each.customerUid, each.from]))
  const loaded = await loadViews(services, [...new Set([...due.keys(), ...turn.visited])])
  return services.database.inTransaction(async (sql) => {
    if (!(await confirmTurn(sql, environment, turn))) return 0
    // Whoever is deleted after this look is purged after this transaction: the purge waits for the turn.
    const present = await findPresent(sql, [...loaded.keys()])
    const views = new Map([...loaded].filter(([customerUid]) => present.has(customerUid)))
    await rollUp(sql, environment, listRollUps(due, views))
    const standings = [...views].map(([customerUid, { access, entitlements }]) => ({
      customerUid,
      standings: computeStandings(access),
      held: entitlements.held.map(({ product, version }) => ({ productNo: product.productNo, version })),
    }))
    await saveStandings(sql, environment, turn.now, standings)
    const finished = [...views].map(([customerUid, view]) => ({
      customerUid,
      revision: view.state.revision,
      validUntil: findValidUntil(view),
    }))
    return finishTurn(sql, environment, turn, finished)
  })
}

function listRollUps(
  due: ReadonlyMap<string, number | undefined>,
  views: ReadonlyMap<string, CustomerView>,
): RollUp[] {
  return [...views].flatMap(([customerUid, { entitlements }]) => {
    const from = due.get(customerUid)
    if (from === undefined) return []
    return [{ customerUid, from, productNo: findMainProduct(entitlements.held)?.productNo ?? 0 }]
  })
}

/** Undefined if nothing changes by itself. Of a customer whose usage begins later every instant is another: it is looked at now and then. */
function findValidUntil({ access, state, now }: CustomerView): number | undefined {
  const until = computeValidUntil(access, state, now)
  return until === Infinity ? undefined : Math.max(until, now + soonestMs)
}
