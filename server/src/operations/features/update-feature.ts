// Updates a feature's definition.
import { type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { computeTracking, type FeatureInput } from '../../domain/catalogue/feature.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { updateFeature as writeFeature } from '../../storage/catalogue/features.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export function updateFeature(
  services: Services,
  context: Context,
  featureKey: string,
  input: FeatureInput,
): Promise<Feature> {
  return changeFeature(services, context, featureKey, 'feature.update', (feature) => ({
    ...feature,
    name: input.name ?? feature.name,
    description: input.description === undefined ? feature.description : (input.description ?? undefined),
    ...computeTracking(feature.type, feature, input),
  }))
}

export async function changeFeature(
  { catalogues }: Services,
  { principal }: Context,
  featureKey: string,
  action: string,
  decide: (feature: Feature, now: number) => Feature,
): Promise<Feature> {
  const { result } = await catalogues.change(principal.environment, async (sql, catalogue, now) => {
    const before = getFeature(catalogue, featureKey)
    const after = decide(before, now)
    await writeFeature(sql, after)
    await insertAuditEntry(sql, { principal, now }, { action, subject: featureKey, before, after })
    return after
  })
  return result
}
