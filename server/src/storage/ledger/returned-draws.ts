// Giving draws back: the latest rows of a period's draws go, the last of them perhaps in part.

import { type Amount, amountFromText, amountToText } from '../../domain/amount.ts'
import type { DrawReturn } from '../../domain/ledger/change.ts'
import type { Sql } from '../database.ts'

type Row = { event_no: number; position: number; amount: string }

const rowsAtOnce = 100

/** Call it under the customer's lock. Walks back from the latest draw, so that older ones cost nothing. */
export async function removeDraws(
  sql: Sql,
  customerUid: string,
  { featureNo, period, amount }: DrawReturn,
): Promise<void> {
  let left = amount
  while (left > 0n) {
    const { rows } = await sql.query<Row>(
      `select event_no, position, amount from bonus_draw
       where customer_uid = $1 and feature_no = $2 and drawn_at >= $3 and drawn_at < $4
       order by event_no desc, position desc
       limit $5`,
      [customerUid, featureNo, period.start, period.end, rowsAtOnce],
    )
    if (rows.length === 0)
      throw new Error(`draws to return are missing for feature ${featureNo} of ${customerUid}`)
    const whole: Row[] = []
    for (const row of rows) {
      const drawn = amountFromText(row.amount)
      if (drawn > left) {
        if (left > 0n) await reduceDraw(sql, customerUid, featureNo, row, drawn - left)
        left = 0n
        break
      }
      left -= drawn
      whole.push(row)
      if (left === 0n) break
    }
    await deleteDraws(sql, customerUid, featureNo, whole)
  }
}

async function reduceDraw(sql: Sql, uid: string, featureNo: number, row: Row, amount: Amount): Promise<void> {
  await sql.query(
    `update bonus_draw set amount = $5 where customer_uid = $1 and feature_no = $2 and event_no = $3 and position = $4`,
    [uid, featureNo, row.event_no, row.position, amountToText(amount)],
  )
}

async function deleteDraws(sql: Sql, uid: string, featureNo: number, rows: Row[]): Promise<void> {
  await sql.query(
    `delete from bonus_draw d using unnest($3::bigint[], $4::int[]) as a (event_no, position)
     where d.customer_uid = $1 and d.feature_no = $2 and d.event_no = a.event_no and d.position = a.position`,
    [uid, featureNo, rows.map((row) => row.event_no), rows.map((row) => row.position)],
  )
}
