// Rows of bonuses and of the requests that made them. Call the changing ones under the customer's lock.
import { amountToText } from '../../domain/amount.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Bonus } from '../../domain/ledger/state.ts'
import type { Sql } from '../database.ts'
import { type BonusRow, bonusColumns, toBonus } from './load-states.ts'

export async function insertBonus(sql: Sql, uid: string, bonus: Bonus): Promise<void> {
  await sql.query(
    `insert into bonus (customer_uid, bonus_id, feature_no, amount, created_at, updated_at, expires_at, reason, metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      uid,
      bonus.bonusId,
      bonus.featureNo,
      amountToText(bonus.amount),
      bonus.createdAt,
      bonus.updatedAt,
      bonus.expiresAt,
      bonus.reason,
      JSON.stringify(bonus.metadata),
    ],
  )
}

/** All that can change but what is drawn, which settling writes. */
export async function updateBonusRow(sql: Sql, uid: string, bonus: Bonus): Promise<void> {
  await sql.query(
    `update bonus set amount = $3, updated_at = $4, expires_at = $5, reason = $6, metadata = $7
     where customer_uid = $1 and bonus_id = $2`,
    [
      uid,
      bonus.bonusId,
      amountToText(bonus.amount),
      bonus.updatedAt,
      bonus.expiresAt,
      bonus.reason,
      JSON.stringify(bonus.metadata),
    ],
  )
}

export async function deleteBonusRow(sql: Sql, uid: string, bonusId: string): Promise<void> {
  await sql.query('delete from bonus where customer_uid = $1 and bonus_id = $2', [uid, bonusId])
}

export async function findBonus(sql: Sql, uid: string, bonusId: string): Promise<Bonus | undefined> {
  const { rows } = await sql.query<BonusRow>({
    text: `select ${bonusColumns} from bonus b where b.customer_uid = $1 and b.bonus_id = $2`,
    values: [uid, bonusId],
    rowMode: 'array',
  })
  return rows[0] && toBonus(rows[0])
}

export type BonusOwner = { customerUid: string; customerId: string; featureNo: number }

/** Whose bonus this is; undefined when there is none in this environment. */
export async function findBonusOwner(
  sql: Sql,
  environment: Environment,
  bonusId: string,
): Promise<BonusOwner | undefined> {
  const { rows } = await sql.query<{ customer_uid: string; customer_id: string; feature_no: number }>(
    `select c.customer_uid, c.customer_id, b.feature_no
     from bonus b join customer c on c.customer_uid = b.customer_uid
     where b.bonus_id = $1 and c.environment = $2`,
    [bonusId, environment],
  )
  const row = rows[0]
  return row && { customerUid: row.customer_uid, customerId: row.customer_id, featureNo: row.feature_no }
}

export type BonusPosition = { createdAt: number; bonusId: string }

type ListOptions = { featureNos: number[]; before: BonusPosition | undefined; limit: number | undefined }

/** Newest first, with the customer's revision in the same snapshot; undefined when the customer is gone. */
export async function listBonuses(
  sql: Sql,
  uid: string,
  { featureNos, before, limit }: ListOptions,
): Promise<{ revision: number; bonuses: Bonus[] } | undefined> {
  const { rows } = await sql.query<[revision: number, ...BonusRow]>({
    text: `select c.revision, ${bonusColumns}
      from customer c
      left join lateral (
        select * from bonus b
        where b.customer_uid = c.customer_uid and b.feature_no = any($2::int[])
          and ($3::bigint is null or (b.created_at, b.bonus_id) < ($3, $4::uuid))
        order by b.created_at desc, b.bonus_id desc
        limit $5
      ) b on true
      where c.customer_uid = $1
      order by b.created_at desc, b.bonus_id desc`,
    values: [uid, featureNos, before?.createdAt, before?.bonusId, limit],
    rowMode: 'array',
  })
  const first = rows[0]
  if (!first) return undefined
  const bonuses = rows.flatMap(([, ...row]) => (row[0] === null ? [] : [toBonus(row)]))
  return { revision: first[0], bonuses }
}

export type BonusRequest = { keyHash: string; bodyHash: string; answer: unknown }

export async function findBonusRequest(
  sql: Sql,
  environment: Environment,
  keyHash: string,
): Promise<BonusRequest | undefined> {
  const { rows } = await sql.query<{ body_hash: string; answer: unknown }>(
    'select body_hash, answer from bonus_request where environment = $1 and key_hash = $2',
    [environment, keyHash],
  )
  return rows[0] && { keyHash, bodyHash: rows[0].body_hash, answer: rows[0].answer }
}

/** False when another request has just taken the key. */
export async function insertBonusRequest(
  sql: Sql,
  environment: Environment,
  uid: string,
  { keyHash, bodyHash, answer }: BonusRequest,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into bonus_request (environment, key_hash, customer_uid, body_hash, answer)
     values ($1, $2, $3, $4, $5)
     on conflict (environment, key_hash) do nothing`,
    [environment, keyHash, uid, bodyHash, JSON.stringify(answer)],
  )
  return rowCount === 1
}
