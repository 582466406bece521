// Drawing on bonuses and returning to them: draws follow what usage in the current period exceeds the limit by.
import type { Allowance } from '../access/allowance.ts'
import { type Amount, smaller } from '../amount.ts'
import { type Bonus, type Draw, isExpired, isOpen } from './state.ts'

export type Settlement = {
  /** This period's draws after settling, in the order drawn. */
  draws: readonly Draw[]
  /** What settling moved, in order: a negative amount was returned, last drawn first. Nothing is both drawn and returned. */
  moves: readonly Draw[]
  bonusUsed: Amount
  bonusRemaining: Amount
}

type Unsettled = {
  /** All of the customer's bonuses for the feature that are open or drawn on in this period. */
  bonuses: readonly Bonus[]
  draws: readonly Draw[]
  total: Amount
  allowance: Allowance
  now: number
}

const nothing: readonly Draw[] = []

export function settle({ bonuses, draws, total, allowance, now }: Unsettled): Settlement {
  const before = sumOf(draws)
  const need = computeNeed(total, allowance, before)
  const moves =
    need < before
      ? returnLast(bonuses, draws, before - need)
      : need > before
        ? drawFurther(bonuses, need - before, now)
        : nothing
  const moved = sumOf(moves)
  return {
    draws: moves === nothing ? draws : applyMoves(draws, moves),
    moves,
    bonusUsed: before + moved,
    bonusRemaining: computeLeft(bonuses, moves, now),
  }
}

/** Without access nothing is drawn or returned; unlimited needs nothing. */
function computeNeed(total: Amount, allowance: Allowance, drawn: Amount): Amount {
  if (!allowance.hasAccess) return drawn
  if (allowance.isUnlimited || total <= allowance.limit) return 0n
  return total - allowance.limit
}

/** What unexpired bonuses have left after the moves. */
function computeLeft(bonuses: readonly Bonus[], moves: readonly Draw[], now: number): Amount {
  let left = 0n
  for (const bonus of bonuses) if (!isExpired(bonus, now)) left += bonus.amount - bonus.drawn
  for (const { bonusId, amount } of moves) if (!isExpired(getBonus(bonuses, bonusId), now)) left -= amount
  return left
}

/** A draw on a bonus that is not at hand would be lost in silence. */
function getBonus(bonuses: readonly Bonus[], bonusId: string): Bonus {
  const bonus = bonuses.find((each) => each.bonusId === bonusId)
  if (!bonus) throw new Error(`the bonus ${bonusId} was drawn on and is not at hand`)
  return bonus
}

/** Soonest expiry first, never-expiring last, then oldest, then id. */
export function compareDrawOrder(a: Bonus, b: Bonus): number {
  const expiry = (a.expiresAt ?? Infinity) - (b.expiresAt ?? Infinity)
  if (expiry && !Number.isNaN(expiry)) return expiry
  return a.createdAt - b.createdAt || (a.bonusId < b.bonusId ? -1 : 1)
}

function drawFurther(bonuses: readonly Bonus[], wanted: Amount, now: number): readonly Draw[] {
  const open = bonuses.filter((bonus) => isOpen(bonus, now))
  if (open.length === 0) return nothing
  const drawn: Draw[] = []
  for (const bonus of open.sort(compareDrawOrder)) {
    if (wanted === 0n) break
    const amount = smaller(bonus.amount - bonus.drawn, wanted)
    drawn.push({ bonusId: bonus.bonusId, amount })
    wanted -= amount
  }
  return drawn
}

function returnLast(bonuses: readonly Bonus[], draws: readonly Draw[], wanted: Amount): Draw[] {
  const returned: Draw[] = []
  for (let index = draws.length - 1; index >= 0 && wanted > 0n; index--) {
    const { bonusId, amount } = draws[index] as Draw
    const part = smaller(amount, wanted)
    returned.push({ bonusId: getBonus(bonuses, bonusId).bonusId, amount: -part })
    wanted -= part
  }
  return returned
}

function applyMoves(draws: readonly Draw[], moves: readonly Draw[]): Draw[] {
  const after = draws.map((draw) => ({ ...draw }))
  for (const move of moves) {
    if (move.amount > 0n) appendDraw(after, move)
    else {
      const last = after.at(-1) as Draw
      last.amount += move.amount
      if (last.amount === 0n) after.pop()
    }
  }
  return after
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

/** The bonuses as they are when these moves are counted. */
export function applyToBonuses(bonuses: readonly Bonus[], moves: readonly Draw[]): readonly Bonus[] {
  if (moves.length === 0) return bonuses
  const moved = new Map<string, Amount>()
  for (const { bonusId, amount } of moves) moved.set(bonusId, (moved.get(bonusId) ?? 0n) + amount)
  return bonuses.map((bonus) => {
    const amount = moved.get(bonus.bonusId)
    return amount ? { ...bonus, drawn: bonus.drawn + amount } : bonus
  })
}
