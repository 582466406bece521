// Deletes a feature for ever: out of every product configuration, and its usage and bonuses with it.
import type { Caller } from '../../domain/caller.ts'
import { getFeature } from '../../domain/catalogue/catalogue.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { deleteFeatureRow } from '../../storage/catalogue/features.ts'
import { insertPurge } from '../../storage/customers/purges.ts'
import type { Services } from '../services.ts'

export async function deleteFeature(
  { catalogues }: Services,
  caller: Caller,
  featureKey: string,
): Promise<void> {
  await catalogues.change(caller.environment, async (sql, catalogue) => {
    const before = getFeature(catalogue, featureKey)
    await deleteFeatureRow(sql, before.featureId)
    await insertPurge(sql, before.featureNo)
    await insertAuditEntry(sql, caller, { action: 'feature.delete', subject: featureKey, before })
  })
}
