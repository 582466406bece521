// What the time between now and an instant will bring to the customers of the test environment, soonest first.
import { type Ahead, computeAhead } from '../../domain/access/ahead.ts'
import { readClock } from '../../storage/catalogue/clock.ts'
import { listMovable } from '../../storage/customers/movable.ts'
import type { Context } from '../context.ts'
import { findViewByHash } from '../customers/read-customer.ts'
import type { Services } from '../services.ts'

export type AheadOf = {
  now: number
  isFrozen: boolean
  ahead: Ahead[]
  /** Not all that is ahead is listed: there is more of it, or there are customers that were not looked at. */
  isCut: boolean
}

const defaultSpanMs = 31 * 86_400_000
const customersAtMost = 200
const aheadAtMost = 200

export async function listAhead(
  services: Services,
  context: Context,
  to: number | undefined,
): Promise<AheadOf> {
  const { pool } = services.database
  const { environment } = context.principal
  const { now, frozen } = await readClock(pool, environment)
  const until = to ?? now + defaultSpanMs
  const wanted = { now, to: until, limit: customersAtMost }
  const { hashes, total } = await listMovable(pool, environment, wanted)
  const views = await Promise.all(hashes.map((hash) => findViewByHash(services, context, hash)))
  const all = views
    .flatMap((view) => (view ? computeAhead(view, until) : []))
    .sort((one, other) => one.at - other.at)
  const isCut = all.length > aheadAtMost || total > hashes.length
  return { now, isFrozen: frozen, ahead: all.slice(0, aheadAtMost), isCut }
}
