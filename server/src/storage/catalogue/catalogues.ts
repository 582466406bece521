// The catalogue of an environment: loaded whole, kept in memory, confirmed by revision; changed under one lock.
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Database, Sql } from '../database.ts'
import { loadCatalogue } from './load-catalogue.ts'

export type Catalogues = {
  /** The catalogue at this revision or a later one. */
  get(environment: Environment, revision: number): Promise<Catalogue>
  /** The catalogue as it is in the database now, for work that no request's admission has confirmed it for. */
  current(environment: Environment): Promise<Catalogue>
  /** Runs a change under the catalogue's lock and returns the catalogue after it with what the work returned. */
  change<T>(environment: Environment, work: Change<T>): Promise<{ catalogue: Catalogue; result: T }>
}

type Change<T> = (sql: Sql, catalogue: Catalogue) => Promise<T>

export function createCatalogues(database: Database): Catalogues {
  const kept = new Map<Environment, Catalogue>()
  const loading = new Map<Environment, Promise<Catalogue>>()

  async function get(environment: Environment, revision: number): Promise<Catalogue> {
    for (;;) {
      const catalogue = kept.get(environment)
      if (catalogue && catalogue.revision >= revision) return catalogue
      await load(environment)
    }
  }

  async function current(environment: Environment): Promise<Catalogue> {
    const { rows } = await database.pool.query<{ catalogue_revision: number }>(
      'select catalogue_revision from environment where environment = $1',
      [environment],
    )
    return get(environment, rows[0]?.catalogue_revision ?? 0)
  }

  // Requests that find the catalogue changed wait for one load; one that began too early is followed by another.
  function load(environment: Environment): Promise<Catalogue> {
    const underWay = loading.get(environment)
    if (underWay) return underWay
    const promise = inOneSnapshot(database, (sql) => loadCatalogue(sql, environment))
      .then((catalogue) => keep(catalogue))
      .finally(() => loading.delete(environment))
    loading.set(environment, promise)
    return promise
  }

  function keep(catalogue: Catalogue): Catalogue {
    const current = kept.get(catalogue.environment)
    if (!current || current.revision < catalogue.revision) kept.set(catalogue.environment, catalogue)
    return catalogue
  }

  async function change<T>(environment: Environment, work: Change<T>) {
    const { result, catalogue } = await database.inTransaction(async (sql) => {
      await lockCatalogue(sql, environment)
      const result = await work(sql, await loadCatalogue(sql, environment))
      return { result, catalogue: await loadCatalogue(sql, environment) }
    })
    return { result, catalogue: keep(catalogue) }
  }

  return { get, current, change }
}

/** The row's lock lasts to the end of the transaction: changes of one catalogue follow one another. */
export async function lockCatalogue(sql: Sql, environment: Environment): Promise<void> {
  await sql.query(
    'update environment set catalogue_revision = catalogue_revision + 1 where environment = $1',
    [environment],
  )
}

function inOneSnapshot<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.inTransaction(async (sql) => {
    await sql.query('set transaction isolation level repeatable read, read only')
    return work(sql)
  })
}
