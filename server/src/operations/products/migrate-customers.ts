// Moves customers to the latest version of a product, or says what that would change.
import { setTimeout as sleep } from 'node:timers/promises'
import { latestVersion, type Product } from '../../domain/catalogue/catalogue.ts'
import { computeVersionChanges, type VersionChange } from '../../domain/catalogue/version-changes.ts'
import { invalid, missing, overloaded } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { findCustomerUids } from '../../storage/customers/customers.ts'
import { listHolders, lockHolders, moveHolders, type Selection } from '../../storage/customers/holders.ts'
import { isLockTimeout, type Sql } from '../../storage/database.ts'
import { type Context, inMoment, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

type Input = {
  fromVersion?: number | undefined
  customerIds?: string[] | undefined
  dryRun?: boolean | undefined
}

export type Migration = { migrated: number; changes: VersionChange[] }

const attempts = 20
const pauseMs = 150

/**
 * One transaction for all: on a product with very many holders, move them in parts with `customerIds`. Whoever else has one of them
 * locked is waited for without any lock held: the others would wait, too.
 */
export async function migrateCustomers(
  services: Services,
  context: Context,
  productKey: string,
  input: Input,
): Promise<Migration> {
  let { catalogue } = context
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      const migration = await tryMigrate(services, { ...context, catalogue }, productKey, input)
      if (migration) return migration
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      await sleep(pauseMs)
    }
    ;({ catalogue } = await services.catalogues.current(context.principal.environment))
  }
  throw overloaded()
}

/** Undefined when the catalogue is no longer the one by which the customers were locked. */
function tryMigrate(
  services: Services,
  context: Context,
  productKey: string,
  input: Input,
): Promise<Migration | undefined> {
  const { principal, catalogue } = context
  const product = catalogue.products.get(productKey)
  if (!product) throw missing('product', productKey)
  const isDry = input.dryRun === true
  return inMoment(services, context, {
    lock: async (sql) => {
      if (isDry) return
      const holders = await listHolders(sql, product, await select(sql, context, product, input))
      await lockHolders(sql, [...new Set(holders.map((holder) => holder.customerUid))])
    },
    work: async (sql, moment) => {
      if (moment.catalogue.revision !== catalogue.revision) return undefined
      const selection = await select(sql, context, product, input)
      // Nobody who came in between holds an older version; somebody may have gone.
      const holders = await listHolders(sql, product, selection)
      const moving = [...new Set(holders.map((holder) => holder.customerUid))]
      const counts = new Map(
        [...Map.groupBy(holders, (each) => each.version)].map(([version, list]) => [version, list.length]),
      )
      const migration = { migrated: moving.length, changes: computeVersionChanges(product, counts) }
      if (!isDry && moving.length > 0) {
        await moveHolders(sql, product, { ...selection, uids: moving })
        const entry = { action: 'product.migrate', subject: productKey, after: migration }
        await insertAuditEntry(sql, { principal, now: moment.now }, entry)
      }
      return migration
    },
  })
}

async function select(sql: Sql, context: Context, product: Product, input: Input): Promise<Selection> {
  const latest = latestVersion(product).version
  const { fromVersion } = input
  if (fromVersion !== undefined && fromVersion > latest) {
    throw invalid(`fromVersion must be at most ${latest}, the latest version, but ${fromVersion} came.`)
  }
  const uids = input.customerIds && (await getUids(sql, context, input.customerIds))
  return { environment: context.principal.environment, fromVersion, uids, latest }
}

async function getUids(sql: Sql, context: Context, customerIds: string[]): Promise<string[]> {
  const hashes = customerIds.map((customerId) => toCustomerHash(context, customerId))
  const known = await findCustomerUids(sql, hashes)
  return hashes.map((hash, index) => {
    const uid = known.get(hash)
    if (uid === undefined) throw missing('customer', customerIds[index] as string)
    return uid
  })
}
