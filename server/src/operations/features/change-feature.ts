// Changes a feature: its definition, or whether it is archived.
import type { Caller } from '../../domain/caller.ts'
import { type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { computeTracking, type FeatureInput } from '../../domain/catalogue/feature.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { updateFeature as writeFeature } from '../../storage/catalogue/features.ts'
import type { Services } from '../services.ts'

export function updateFeature(services: Services, caller: Caller, featureKey: string, input: FeatureInput) {
  return changeFeature(services, caller, featureKey, 'feature.update', (feature) => ({
    ...feature,
    name: input.name ?? feature.name,
    description: input.description === undefined ? feature.description : (input.description ?? undefined),
    ...computeTracking(feature.type, feature, input),
  }))
}

/** Archiving again changes only the reason; unarchiving clears it. */
export function archiveFeature(
  services: Services,
  caller: Caller,
  featureKey: string,
  { archived, reason }: { archived: boolean; reason?: string | undefined },
) {
  const action = archived ? 'feature.archive' : 'feature.unarchive'
  return changeFeature(services, caller, featureKey, action, (feature) => ({
    ...feature,
    archivedAt: archived ? (feature.archivedAt ?? caller.now) : null,
    archivedReason: archived ? (reason ?? feature.archivedReason) : null,
  }))
}

async function changeFeature(
  { catalogues }: Services,
  caller: Caller,
  featureKey: string,
  action: string,
  decide: (feature: Feature) => Feature,
): Promise<Feature> {
  const { result } = await catalogues.change(caller.environment, async (sql, catalogue) => {
    const before = getFeature(catalogue, featureKey)
    const after = decide(before)
    await writeFeature(sql, after)
    await insertAuditEntry(sql, caller, { action, subject: featureKey, before, after })
    return after
  })
  return result
}
