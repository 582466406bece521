// Moves customers to the latest version of a product, or says what that would change.
import { latestVersion, type Product } from '../../domain/catalogue/catalogue.ts'
import { computeVersionChanges, type VersionChange } from '../../domain/catalogue/version-changes.ts'
import { invalid, missing } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { findCustomerUids } from '../../storage/customers/customers.ts'
import { listHolders, lockCustomers, moveHolders, type Selection } from '../../storage/customers/holders.ts'
import type { Sql } from '../../storage/database.ts'
import { type Context, inMoment, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

type Input = {
  fromVersion?: number | undefined
  customerIds?: string[] | undefined
  dryRun?: boolean | undefined
}

export type Migration = { migrated: number; changes: VersionChange[] }

/** One transaction for all: on a product with very many holders, move them in parts with `customerIds`. */
export async function migrateCustomers(
  services: Services,
  context: Context,
  productKey: string,
  input: Input,
): Promise<Migration> {
  const { principal } = context
  const isDry = input.dryRun === true
  let locked: ReadonlySet<string> = new Set()
  return inMoment(services, context, {
    lock: async (sql, catalogue) => {
      const product = catalogue.products.get(productKey)
      if (isDry || !product) return
      const holders = await listHolders(sql, product, await select(sql, context, product, input))
      locked = new Set(holders.map((holder) => holder.customerUid))
      await lockCustomers(sql, [...locked])
    },
    work: async (sql, { catalogue, now }) => {
      const product = catalogue.products.get(productKey)
      if (!product) throw missing('product', productKey)
      const selection = await select(sql, context, product, input)
      const found = await listHolders(sql, product, selection)
      // Nobody who comes in between holds an older version.
      const holders = isDry ? found : found.filter((holder) => locked.has(holder.customerUid))
      const moving = [...new Set(holders.map((holder) => holder.customerUid))]
      const counts = new Map(
        [...Map.groupBy(holders, (each) => each.version)].map(([version, list]) => [version, list.length]),
      )
      const migration = { migrated: moving.length, changes: computeVersionChanges(product, counts) }
      if (!isDry && moving.length > 0) {
        await moveHolders(sql, product, { ...selection, uids: moving })
        const entry = { action: 'product.migrate', subject: productKey, after: migration }
        await insertAuditEntry(sql, { principal, now }, entry)
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
