// Updates or deletes a bonus.
import { amountFromNumber } from '../../domain/amount.ts'
import type { Caller } from '../../domain/caller.ts'
import { conflict, invalid, missing } from '../../domain/errors.ts'
import type { Bonus, CustomerState } from '../../domain/ledger/state.ts'
import type { Sql } from '../../storage/database.ts'
import { deleteBonusRow, findBonus, findBonusOwner, updateBonusRow } from '../../storage/ledger/bonuses.ts'
import type { Services } from '../services.ts'
import { type BonusChange, type BonusSubject, changeBonus } from './change-bonus.ts'

type Patch = {
  amount?: number | undefined
  expiresAt?: number | null | undefined
  reason?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
}

export function updateBonus(
  services: Services,
  caller: Caller,
  bonusId: string,
  patch: Patch,
): Promise<BonusChange> {
  return editBonus(services, caller, bonusId, async (sql, subject, before, state) => {
    const after = applyPatch(before, patch, caller.now)
    await updateBonusRow(sql, subject.customerUid, after)
    return { state: withBonus(state, after), bonus: after, change: { action: 'bonus.update', before, after } }
  })
}

function applyPatch(before: Bonus, patch: Patch, now: number): Bonus {
  const amount = patch.amount === undefined ? before.amount : amountFromNumber(patch.amount)
  if (typeof patch.expiresAt === 'number' && patch.expiresAt <= now) {
    throw invalid('expiresAt must lie in the future, or be null.')
  }
  if (amount < before.drawn) {
    throw conflict('bonus_drawn', 'amount must not be below what has been drawn from the bonus.')
  }
  return {
    ...before,
    amount,
    updatedAt: now,
    expiresAt: patch.expiresAt === undefined ? before.expiresAt : (patch.expiresAt ?? undefined),
    reason: patch.reason === undefined ? before.reason : (patch.reason ?? undefined),
    metadata: patch.metadata === undefined ? before.metadata : (patch.metadata ?? {}),
  }
}

const withBonus = (state: CustomerState, bonus: Bonus): CustomerState => ({
  ...state,
  bonuses: [...state.bonuses.filter((each) => each.bonusId !== bonus.bonusId), bonus],
})

export function deleteBonus(services: Services, caller: Caller, bonusId: string): Promise<BonusChange> {
  return editBonus(services, caller, bonusId, async (sql, subject, before, state) => {
    if (before.drawn > 0n) {
      throw conflict(
        'bonus_drawn',
        'The bonus has been drawn on; it can be deleted once all of it is returned.',
      )
    }
    await deleteBonusRow(sql, subject.customerUid, bonusId)
    const bonuses = state.bonuses.filter((each) => each.bonusId !== bonusId)
    return { state: { ...state, bonuses }, bonus: before, change: { action: 'bonus.delete', before } }
  })
}

type Edit = (
  sql: Sql,
  subject: BonusSubject,
  before: Bonus,
  state: CustomerState,
) => Promise<Awaited<ReturnType<Parameters<typeof changeBonus>[4]>>>

async function editBonus(
  services: Services,
  caller: Caller,
  bonusId: string,
  edit: Edit,
): Promise<BonusChange> {
  const subject = await getBonusSubject(services, caller, bonusId)
  const { publish, ...change } = await services.database.inTransaction((sql) =>
    changeBonus(services, sql, caller, subject, async (sql, { state }) => {
      // Spent and expired bonuses are not part of the state.
      const held = state.bonuses.find((each) => each.bonusId === bonusId)
      const before = held ?? (await findBonus(sql, subject.customerUid, bonusId))
      if (!before) throw missing('bonus', bonusId)
      return edit(sql, subject, before, state)
    }),
  )
  publish()
  return change
}

export async function getBonusSubject(
  { catalogues, database }: Services,
  caller: Caller,
  bonusId: string,
): Promise<BonusSubject> {
  const catalogue = await catalogues.get(caller.environment, caller.catalogueRevision)
  const owner = isUuid(bonusId) ? await findBonusOwner(database.pool, caller.environment, bonusId) : undefined
  const feature = owner && catalogue.featuresByNo.get(owner.featureNo)
  if (!owner || !feature) throw missing('bonus', bonusId)
  return { customerUid: owner.customerUid, customerId: owner.customerId, feature }
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
