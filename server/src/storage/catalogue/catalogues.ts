// The catalogue of an environment: loaded whole, kept in memory, confirmed by revision; changed under one lock.
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import type { Environment } from '../../domain/environment.ts'
import { overloaded } from '../../domain/errors.ts'
import { type Database, inOneSnapshot, type Sql } from '../database.ts'
import { createTurns } from '../turns.ts'
import { loadCatalogue } from './load-catalogue.ts'
import { openMoment } from './moment.ts'

export type Catalogues = {
  /** The catalogue at this revision or a later one. */
  get(environment: Environment, revision: number): Promise<Catalogue>
  /** The catalogue of a transaction that holds the moment, read by its own connection if this process has not got it. */
  getLocked(sql: Sql, environment: Environment, revision: number): Promise<Catalogue>
  /** The newest that this process has, if it is at least of this revision. */
  find(environment: Environment, revision: number): Catalogue | undefined
  /** The catalogue and the business time as they are in the database now. */
  current(environment: Environment): Promise<{ catalogue: Catalogue; now: number }>
  /** Runs a change under the catalogue's lock and returns the catalogue after it with what the work returned. */
  change<T>(environment: Environment, work: Change<T>): Promise<{ catalogue: Catalogue; result: T }>
}

type Change<T> = (sql: Sql, catalogue: Catalogue, now: number) => Promise<T>

// A load sees at least what was confirmed before it began, so one is enough and a second the exception.
const loadsAtMost = 5

export function createCatalogues(database: Database): Catalogues {
  const kept = new Map<Environment, Catalogue>()
  const loading = new Map<Environment, Promise<Catalogue>>()
  const turns = createTurns({ atOnce: 2, waitingAtMost: 500 })

  function find(environment: Environment, revision: number): Catalogue | undefined {
    const catalogue = kept.get(environment)
    return catalogue && catalogue.revision >= revision ? catalogue : undefined
  }

  async function get(environment: Environment, revision: number): Promise<Catalogue> {
    for (let loads = 0; loads < loadsAtMost; loads++) {
      const catalogue = find(environment, revision)
      if (catalogue) return catalogue
      await load(environment)
    }
    throw overloaded()
  }

  // Another connection might not be had: those may all be waiting for the moment that this transaction holds.
  async function getLocked(sql: Sql, environment: Environment, revision: number): Promise<Catalogue> {
    return find(environment, revision) ?? keep(await loadCatalogue(sql, environment))
  }

  async function current(environment: Environment): Promise<{ catalogue: Catalogue; now: number }> {
    const { catalogueRevision, now } = await openMoment(database.pool, environment)
    return { catalogue: await get(environment, catalogueRevision), now }
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
    const held = kept.get(catalogue.environment)
    if (!held || held.revision < catalogue.revision) kept.set(catalogue.environment, catalogue)
    return catalogue
  }

  const change = <T>(environment: Environment, work: Change<T>) =>
    turns(environment, () => changeInTurn(environment, work))

  async function changeInTurn<T>(environment: Environment, work: Change<T>) {
    const { result, catalogue } = await database.inTransaction(async (sql) => {
      const now = await lockCatalogue(sql, environment)
      const result = await work(sql, await loadCatalogue(sql, environment), now)
      const catalogue = await loadCatalogue(sql, environment)
      // The last thing before the commit: until then writes go on under the catalogue as it was.
      await sql.query('select await_writes($1)', [environment])
      return { result, catalogue }
    })
    return { result, catalogue: keep(catalogue) }
  }

  return { get, getLocked, find, current, change }
}

/** The row's lock lasts to the end of the transaction: changes of one catalogue follow one another. Returns business time. */
async function lockCatalogue(sql: Sql, environment: Environment): Promise<number> {
  const { rows } = await sql.query<{ now: number }>(
    `update environment set catalogue_revision = catalogue_revision + 1 where environment = $1
     returning coalesce(frozen_at, clock_ms()) as now`,
    [environment],
  )
  return rows[0]?.now as number
}
