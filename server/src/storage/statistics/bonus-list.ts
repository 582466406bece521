// Bonuses of a whole environment, and what hangs on a feature.
import type { Environment } from '../../domain/environment.ts'
import type { Bonus } from '../../domain/ledger/state.ts'
import type { Sql } from '../database.ts'
import { type BonusRow, bonusColumns, toBonus } from '../ledger/bonus-rows.ts'

export type BonusState = 'open' | 'expiring' | 'used' | 'expired'

export type ListedBonus = {
  customerId: string
  customerName: string | undefined
  bonus: Bonus
}

const dayMs = 86_400_000
const expiringWithinMs = 14 * dayMs

const isOpen = 'b.drawn < b.amount and (b.expires_at is null or b.expires_at > $2)'

const conditions: Record<BonusState, string> = {
  open: isOpen,
  expiring: `${isOpen} and b.expires_at <= $2 + ${expiringWithinMs}`,
  used: 'b.drawn >= b.amount',
  expired: 'b.drawn < b.amount and b.expires_at <= $2',
}

type Options = {
  environment: Environment
  now: number
  state: BonusState | undefined
  featureNos: readonly number[]
  customerUid: string | undefined
  before: { createdAt: number; bonusId: string } | undefined
  limit: number
}

/** Newest first. */
export async function listEnvironmentBonuses(sql: Sql, options: Options): Promise<ListedBonus[]> {
  const { state, before } = options
  const { rows } = await sql.query<[BonusRow, string, string | null]>({
    text: `select json_build_array(${bonusColumns}), c.customer_id, c.name
      from bonus b join customer c on c.customer_uid = b.customer_uid
      where c.environment = $1 and $2::bigint is not null and b.feature_no = any($3::int[])
        and ($4::uuid is null or b.customer_uid = $4)
        ${state === undefined ? '' : `and ${conditions[state]}`}
        and ($5::bigint is null or (b.created_at, b.bonus_id) < ($5, $6::uuid))
      order by b.created_at desc, b.bonus_id desc
      limit $7`,
    values: [
      options.environment,
      options.now,
      options.featureNos,
      options.customerUid,
      before?.createdAt,
      before?.bonusId,
      options.limit,
    ],
    rowMode: 'array',
  })
  return rows.map(([row, customerId, name]) => ({
    customerId,
    customerName: name ?? undefined,
    bonus: toBonus(row),
  }))
}

export type FeatureImpact = { customersWithUsage: number; events: number; openBonuses: number }

/** What would go with a feature; events as of the last sums. */
export async function countFeatureImpact(
  sql: Sql,
  environment: Environment,
  featureNo: number,
  now: number,
): Promise<FeatureImpact> {
  const { rows } = await sql.query<{ customers: number; events: number; bonuses: number }>(
    `select
       (select count(*) from customer where environment = $1 and used_features @> array[$2::int]) as customers,
       (select coalesce(sum(events), 0)::bigint from usage_total where feature_no = $2) as events,
       (select count(*) from bonus b where b.feature_no = $2 and b.drawn < b.amount
          and (b.expires_at is null or b.expires_at > $3)) as bonuses`,
    [environment, featureNo, now],
  )
  const row = rows[0]
  return {
    customersWithUsage: row?.customers ?? 0,
    events: row?.events ?? 0,
    openBonuses: row?.bonuses ?? 0,
  }
}
