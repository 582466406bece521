// The provider's pages that confirm changes, by the price they change to.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export async function findChangePage(
  sql: Sql,
  environment: Environment,
  providerPriceId: string,
): Promise<string | undefined> {
  const { rows } = await sql.query<{ change_page_id: string }>(
    'select change_page_id from change_page where environment = $1 and provider_price_id = $2',
    [environment, providerPriceId],
  )
  return rows[0]?.change_page_id
}

/** The first of several that were made at once is kept; the others are never used. */
export async function saveChangePage(
  sql: Sql,
  environment: Environment,
  providerPriceId: string,
  changePageId: string,
): Promise<void> {
  await sql.query(
    `insert into change_page (environment, provider_price_id, change_page_id) values ($1, $2, $3)
     on conflict (environment, provider_price_id) do nothing`,
    [environment, providerPriceId, changePageId],
  )
}

/** One that the provider no longer takes. */
export async function deleteChangePage(
  sql: Sql,
  environment: Environment,
  changePageId: string,
): Promise<void> {
  await sql.query('delete from change_page where environment = $1 and change_page_id = $2', [
    environment,
    changePageId,
  ])
}
