// A stored counter as JSON.
import { amountFromText } from '../../domain/amount.ts'
import type { Counter } from '../../domain/ledger/state.ts'

export type CounterRow = [
  featureNo: number,
  start: number,
  end: number,
  total: string,
  drawBonus: string[],
  drawAmount: string[],
]

/** Of the counter `u`. */
export const counterColumns =
  'u.feature_no, u.period_start, u.period_end, u.total::text, u.draw_bonus::text[], u.draw_amount::text[]'

export function toCounter(row: CounterRow): Counter {
  const [featureNo, start, end, total, drawBonus, drawAmount] = row
  const draws = drawBonus.map((bonusId, index) => ({
    bonusId,
    amount: amountFromText(drawAmount[index] as string),
  }))
  return { featureNo, period: { start, end }, total: amountFromText(total), draws }
}
