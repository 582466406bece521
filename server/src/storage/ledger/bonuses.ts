// Finding and listing bonuses.
import type { Environment } from '../../domain/environment.ts'
import type { Bonus } from '../../domain/ledger/state.ts'
import type { Sql } from '../database.ts'
import { type BonusRow, bonusColumns, toBonus } from './bonus-rows.ts'

export type BonusOwner = { customerHash: string; customerId: string; featureNo: number }

/** Whose bonus this is; undefined when there is none in this environment. */
export async function findBonusOwner(
  sql: Sql,
  environment: Environment,
  bonusId: string,
): Promise<BonusOwner | undefined> {
  const { rows } = await sql.query<{ customer_hash: string; customer_id: string; feature_no: number }>(
    `select c.customer_hash, c.customer_id, b.feature_no
     from bonus b join customer c on c.customer_uid = b.customer_uid
     where b.bonus_id = $1 and c.environment = $2`,
    [bonusId, environment],
  )
  const row = rows[0]
  return row && { customerHash: row.customer_hash, customerId: row.customer_id, featureNo: row.feature_no }
}

export type BonusPosition = { createdAt: number; bonusId: string }

type ListOptions = {
  featureNos: readonly number[]
  before: BonusPosition | undefined
  /** All of them when absent. */
  limit: number | undefined
}

/** Newest first. */
export async function listBonuses(
  sql: Sql,
  uid: string,
  { featureNos, before, limit }: ListOptions,
): Promise<Bonus[]> {
  const { rows } = await sql.query<[BonusRow]>({
    text: `select json_build_array(${bonusColumns})
      from bonus b
      where b.customer_uid = $1 and b.feature_no = any($2::int[])
        and ($3::bigint is null or (b.created_at, b.bonus_id) < ($3, $4::uuid))
      order by b.created_at desc, b.bonus_id desc
      limit $5`,
    values: [uid, featureNos, before?.createdAt, before?.bonusId, limit],
    rowMode: 'array',
  })
  return rows.map(([row]) => toBonus(row))
}
