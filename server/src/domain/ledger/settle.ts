// Drawing on bonuses and returning to them: draws follow what usage in the current period exceeds the limit by.
import type { Allowance } from '../access/allowance.ts'
import { type Amount, smaller } from '../amount.ts'
import type { Bonus, Draw } from './state.ts'

export type Settlement = {
  /** This period's draws after settling, in the order drawn. */
  draws: readonly Draw[]
  /** What settling drew further, and what it gave back, last drawn first; one of the two is empty. */
  drawn: Draw[]
  returned: Draw[]
  bonusUsed: Amount
  bonusRemaining: Amount
}

type Standing = {
  /** All of the customer's bonuses for the feature that are open or drawn on in this period. */
  bonuses: readonly Bonus[]
  draws: readonly Draw[]
  total: Amount
  allowance: Allowance
  now: number
}

export const isExpired = (bonus: Pick<Bonus, 'expiresAt'>, now: number): boolean =>
  bonus.expiresAt !== undefined && bonus.expiresAt <= now

export function settle({ bonuses, draws, total, allowance, now }: Standing): Settlement {
  const before = sumOf(draws)
  const need = computeNeed(total, allowance, before)
  const returned = need < before ? takeLast(draws, before - need) : []
  const drawn = need > before ? drawFurther(bonuses, need - before, now) : []
  const moved = sumOf(drawn) - sumOf(returned)
  let unexpired = 0n
  for (const bonus of bonuses) if (!isExpired(bonus, now)) unexpired += bonus.amount - bonus.drawn
  for (const { bonusId, amount } of returned) {
    const bonus = bonuses.find((each) => each.bonusId === bonusId)
    if (bonus && !isExpired(bonus, now)) unexpired += amount
  }
  return {
    draws: moved === 0n ? draws : applyMoves(draws, drawn, returned),
    drawn,
    returned,
    bonusUsed: before + moved,
    bonusRemaining: unexpired - sumOf(drawn),
  }
}

/** Without access nothing is drawn or returned; unlimited needs nothing. */
function computeNeed(total: Amount, allowance: Allowance, drawn: Amount): Amount {
  if (!allowance.hasAccess) return drawn
  if (allowance.isUnlimited || total <= allowance.limit) return 0n
  return total - allowance.limit
}

/** Soonest expiry first, never-expiring last, then oldest, then id. */
export function compareDrawOrder(a: Bonus, b: Bonus): number {
  const expiry = (a.expiresAt ?? Infinity) - (b.expiresAt ?? Infinity)
  if (expiry && !Number.isNaN(expiry)) return expiry
  return a.createdAt - b.createdAt || (a.bonusId < b.bonusId ? -1 : 1)
}

function drawFurther(bonuses: readonly Bonus[], wanted: Amount, now: number): Draw[] {
  const open = bonuses.filter((bonus) => bonus.drawn < bonus.amount && !isExpired(bonus, now))
  const drawn: Draw[] = []
  for (const bonus of open.sort(compareDrawOrder)) {
    if (wanted === 0n) break
    const left = bonus.amount - bonus.drawn
    const amount = smaller(left, wanted)
    drawn.push({ bonusId: bonus.bonusId, amount })
    wanted -= amount
  }
  return drawn
}

function takeLast(draws: readonly Draw[], wanted: Amount): Draw[] {
  const taken: Draw[] = []
  for (let index = draws.length - 1; index >= 0 && wanted > 0n; index--) {
    const { bonusId, amount } = draws[index] as Draw
    const part = smaller(amount, wanted)
    taken.push({ bonusId, amount: part })
    wanted -= part
  }
  return taken
}

function applyMoves(draws: readonly Draw[], drawn: Draw[], returned: Draw[]): Draw[] {
  const kept = draws.map((draw) => ({ ...draw }))
  for (const { amount } of returned) {
    const last = kept.at(-1) as Draw
    last.amount -= amount
    if (last.amount === 0n) kept.pop()
  }
  for (const draw of drawn) appendDraw(kept, draw)
  return kept
}

/** Runs of one bonus are kept as one, so that their number does not grow with the events. */
export function appendDraw(draws: Draw[], draw: Draw): void {
  const last = draws.at(-1)
  if (last?.bonusId === draw.bonusId) last.amount += draw.amount
  else draws.push({ ...draw })
}

export function sumOf(draws: readonly Draw[]): Amount {
  let sum = 0n
  for (const draw of draws) sum += draw.amount
  return sum
}
