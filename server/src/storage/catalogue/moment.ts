// The moment a transaction works in: catalogue and clock of an environment, which hold to its end.
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Moment } from '../../domain/ledger/account.ts'
import type { Sql } from '../database.ts'

export type OpenMoment = { catalogueRevision: number; isFrozen: boolean; now: number }

/** In a transaction: no change of the catalogue or the frozen clock is answered before its end. */
export async function openMoment(sql: Sql, environment: Environment): Promise<OpenMoment> {
  const { rows } = await sql.query<{ catalogue_revision: number; is_frozen: boolean; now: number }>(
    'select catalogue_revision, is_frozen, now from open_moment($1)',
    [environment],
  )
  const row = rows[0]
  if (!row) throw new Error(`there is no environment ${environment}`)
  return { catalogueRevision: row.catalogue_revision, isFrozen: row.is_frozen, now: row.now }
}

/** The moment of this transaction, under the very catalogue that is in force to its end. */
export async function lockMoment(
  sql: Sql,
  environment: Environment,
  getCatalogue: (sql: Sql, environment: Environment, revision: number) => Promise<Catalogue>,
): Promise<Moment> {
  const { catalogueRevision, now } = await openMoment(sql, environment)
  const catalogue = await getCatalogue(sql, environment, catalogueRevision)
  if (catalogue.revision !== catalogueRevision)
    throw new Error(`the catalogue ${catalogueRevision} is locked, but ${catalogue.revision} was loaded`)
  return { catalogue, now }
}
