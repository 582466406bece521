// What a change of a ledger writes beside new events, counters and draws: edits of events, bonuses, answers to keyed requests,
// and the log. For one customer, under its lock.
import { amountToText } from '../../domain/amount.ts'
import type { LedgerChange } from '../../domain/ledger/change.ts'
import type { BonusRequest } from '../../domain/ledger/facts.ts'
import type { Bonus } from '../../domain/ledger/state.ts'
import { insertAuditEntry } from '../audit/audit-log.ts'
import type { Sql } from '../database.ts'
import { markDue } from '../statistics/mark-due.ts'
import { toBonusRow } from './bonus-rows.ts'
import { insertAlias, updateEvent } from './events.ts'
import { removeDraws } from './returned-draws.ts'

/** Before the new draws are there: the latest stored ones are given back. */
export async function returnDraws(sql: Sql, { customerUid, returned }: LedgerChange): Promise<void> {
  for (const each of returned) await removeDraws(sql, customerUid, each)
}

/** After the new events are there: one of them may have been amended since. */
export async function saveFurther(sql: Sql, change: LedgerChange): Promise<void> {
  const { customerUid: uid } = change
  await Promise.all([
    ...change.overlapped.map((each) => deleteOverlapped(sql, uid, each)),
    ...change.updatedEvents.map((event) => updateEvent(sql, { customerUid: uid, event })),
    ...change.aliases.map(({ keyHash, event }) => insertAlias(sql, { customerUid: uid, event }, keyHash)),
    ...change.insertedBonuses.map((bonus) => insertBonus(sql, uid, bonus)),
    ...change.updatedBonuses.map((bonus) => updateBonus(sql, uid, bonus)),
    ...change.deletedBonusIds.map((bonusId) => deleteBonus(sql, uid, bonusId)),
    ...change.requests.map((request) => insertRequest(sql, uid, request)),
    ...change.log.map(({ principal, at, entry }) =>
      insertAuditEntry(sql, { principal, now: at }, entry, uid),
    ),
    markDue(sql, [uid]),
  ])
}

/** Whoever needs one of these counters computes it. */
async function deleteOverlapped(
  sql: Sql,
  uid: string,
  { featureNo, period }: LedgerChange['overlapped'][number],
): Promise<void> {
  await sql.query(
    `delete from usage_counter
     where customer_uid = $1 and feature_no = $2 and period_end > $3 and period_start < $4
       and (period_start, period_end) <> ($3, $4)`,
    [uid, featureNo, period.start, period.end],
  )
}

async function insertBonus(sql: Sql, uid: string, bonus: Bonus): Promise<void> {
  await sql.query(
    `insert into bonus (customer_uid, bonus_id, amount, drawn, updated_at, expires_at, reason, metadata, feature_no, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [...toValues(uid, bonus), bonus.featureNo, bonus.createdAt],
  )
}

/** What is drawn changes with the amount: it may be below what was drawn before, as long as that was returned. */
async function updateBonus(sql: Sql, uid: string, bonus: Bonus): Promise<void> {
  await sql.query(
    `update bonus set amount = $3, drawn = $4, updated_at = $5, expires_at = $6, reason = $7, metadata = $8
     where customer_uid = $1 and bonus_id = $2`,
    toValues(uid, bonus),
  )
}

const toValues = (uid: string, bonus: Bonus): unknown[] => [
  uid,
  bonus.bonusId,
  amountToText(bonus.amount),
  amountToText(bonus.drawn),
  bonus.updatedAt,
  bonus.expiresAt,
  bonus.reason,
  JSON.stringify(bonus.metadata),
]

async function deleteBonus(sql: Sql, uid: string, bonusId: string): Promise<void> {
  await sql.query('delete from bonus where customer_uid = $1 and bonus_id = $2', [uid, bonusId])
}

async function insertRequest(sql: Sql, uid: string, request: BonusRequest): Promise<void> {
  const { counterRemaining } = request
  const answer = [
    toBonusRow(request.bonus),
    counterRemaining === undefined ? null : amountToText(counterRemaining),
  ]
  await sql.query(
    'insert into bonus_request (customer_uid, key_hash, body_hash, answer) values ($1, $2, $3, $4)',
    [uid, request.keyHash, request.bodyHash, JSON.stringify(answer)],
  )
}
