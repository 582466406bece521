// Moves customers to the latest version of a product, or says what that would change.
import type { Caller } from '../../domain/caller.ts'
import { latestVersion } from '../../domain/catalogue/catalogue.ts'
import { computeVersionChanges, type VersionChange } from '../../domain/catalogue/version-changes.ts'
import { invalid, missing } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import { listHolders, listKnownUids, lockCustomers, moveHolders } from '../../storage/customers/holders.ts'
import type { Sql } from '../../storage/database.ts'
import type { Services } from '../services.ts'

type Input = {
  fromVersion?: number | undefined
  customerIds?: string[] | undefined
  dryRun?: boolean | undefined
}

export type Migration = { migrated: number; changes: VersionChange[] }

/** One transaction for all: on a product with very many holders, move them in parts with `customerIds`. */
export async function migrateCustomers(
  { catalogues, database }: Services,
  caller: Caller,
  productKey: string,
  input: Input,
): Promise<Migration> {
  const catalogue = await catalogues.get(caller.environment, caller.catalogueRevision)
  const product = catalogue.products.get(productKey)
  if (!product) throw missing('product', productKey)
  const latest = latestVersion(product).version
  if (input.fromVersion !== undefined && input.fromVersion > latest) {
    throw invalid(`fromVersion must be at most ${latest}, the latest version, but ${input.fromVersion} came.`)
  }
  return database.inTransaction(async (sql) => {
    const uids = input.customerIds && (await getUids(sql, caller, input.customerIds))
    const selection = { fromVersion: input.fromVersion, uids, latest }
    const found = await listHolders(sql, product, selection)
    if (!input.dryRun) await lockCustomers(sql, [...new Set(found.map((holder) => holder.customerUid))])
    // Looked up again under the locks: someone may have left in between.
    const holders = input.dryRun ? found : await listHolders(sql, product, selection)
    const moving = [...new Set(holders.map((holder) => holder.customerUid))]
    const counts = new Map(
      [...Map.groupBy(holders, (each) => each.version)].map(([version, list]) => [version, list.length]),
    )
    const migration = { migrated: moving.length, changes: computeVersionChanges(product, counts) }
    if (!input.dryRun && moving.length > 0) {
      await moveHolders(sql, product, { ...selection, uids: moving })
      await insertAuditEntry(sql, caller, {
        action: 'product.migrate',
        subject: productKey,
        after: migration,
      })
    }
    return migration
  })
}

async function getUids(sql: Sql, caller: Caller, customerIds: string[]): Promise<string[]> {
  const uids = customerIds.map((customerId) => customerUid(caller.environment, customerId))
  const known = await listKnownUids(sql, uids)
  const unknown = customerIds.find((_customerId, index) => !known.has(uids[index] as string))
  if (unknown !== undefined) throw missing('customer', unknown)
  return uids
}
