// Imports of the provider's catalogue that are under way: at most one an environment, taken over when whoever did it died.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

/** Begins one, or goes on with it: nobody else takes it over until `leaseEndsAt`. */
export async function holdCatalogueImport(
  sql: Sql,
  environment: Environment,
  leaseEndsAt: number,
): Promise<void> {
  await sql.query(
    `insert into catalogue_import (environment, due_at) values ($1, $2)
     on conflict (environment) do update set due_at = greatest(catalogue_import.due_at, excluded.due_at)`,
    [environment, leaseEndsAt],
  )
}

export async function claimCatalogueImports(
  sql: Sql,
  environments: readonly Environment[],
  now: number,
  leaseEndsAt: number,
): Promise<{ environment: Environment; attempts: number }[]> {
  const { rows } = await sql.query<{ environment: Environment; attempts: number }>(
    `update catalogue_import set due_at = $2, attempts = attempts + 1
     where environment in (
       select environment from catalogue_import where due_at <= $1 and environment = any($3) for update skip locked
     )
     returning environment, attempts`,
    [now, leaseEndsAt, environments],
  )
  return rows
}

export async function finishCatalogueImport(sql: Sql, environment: Environment): Promise<void> {
  await sql.query('delete from catalogue_import where environment = $1', [environment])
}

export async function postponeCatalogueImport(
  sql: Sql,
  environment: Environment,
  dueAt: number,
): Promise<void> {
  await sql.query('update catalogue_import set due_at = $2 where environment = $1', [environment, dueAt])
}

export async function isImporting(sql: Sql, environment: Environment): Promise<boolean> {
  const { rows } = await sql.query('select from catalogue_import where environment = $1', [environment])
  return rows.length > 0
}
