// A bonus as JSON: read with a customer's state, with its draws, and kept in the answers to keyed requests.
import { amountFromText, amountToText } from '../../domain/amount.ts'
import type { Bonus } from '../../domain/ledger/state.ts'

export type BonusRow = [
  bonusId: string,
  featureNo: number,
  amount: string,
  drawn: string,
  createdAt: number,
  updatedAt: number,
  expiresAt: number | null,
  reason: string | null,
  metadata: Record<string, string>,
]

/** Of the bonus `b`, amounts as text: a JSON number would be a float. */
export const bonusColumns = `b.bonus_id, b.feature_no, b.amount::text, b.drawn::text, b.created_at, b.updated_at,
  b.expires_at, b.reason, b.metadata`

export function toBonus(row: BonusRow): Bonus {
  const [bonusId, featureNo, amount, drawn, createdAt, updatedAt, expiresAt, reason, metadata] = row
  return {
    bonusId,
    featureNo,
    amount: amountFromText(amount),
    drawn: amountFromText(drawn),
    createdAt,
    updatedAt,
    expiresAt: expiresAt ?? undefined,
    reason: reason ?? undefined,
    metadata,
  }
}

export const toBonusRow = (bonus: Bonus): BonusRow => [
  bonus.bonusId,
  bonus.featureNo,
  amountToText(bonus.amount),
  amountToText(bonus.drawn),
  bonus.createdAt,
  bonus.updatedAt,
  bonus.expiresAt ?? null,
  bonus.reason ?? null,
  bonus.metadata,
]
