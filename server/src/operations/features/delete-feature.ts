// Deletes a feature for ever: out of every product configuration, and its usage and bonuses with it.

import { getFeature } from '../../domain/catalogue/catalogue.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { deleteFeatureRow } from '../../storage/catalogue/features.ts'
import { insertFeaturePurge } from '../../storage/customers/purges.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export async function deleteFeature(
  { catalogues, wakeWorker }: Services,
  { principal }: Context,
  featureKey: string,
): Promise<void> {
  await catalogues.change(principal.environment, async (sql, catalogue, now) => {
    const before = getFeature(catalogue, featureKey)
    await deleteFeatureRow(sql, before.featureId)
    await insertFeaturePurge(sql, before.featureNo)
    await insertAuditEntry(sql, { principal, now }, { action: 'feature.delete', subject: featureKey, before })
  })
  wakeWorker()
}
