// Creates a feature.
import { randomUUID } from 'node:crypto'
import { type Feature, type FeatureType, getFeature } from '../../domain/catalogue/catalogue.ts'
import { computeNewTracking, type FeatureInput } from '../../domain/catalogue/feature.ts'
import { conflict, quote } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { insertFeature } from '../../storage/catalogue/features.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

type Input = FeatureInput & { featureKey: string; name: string; type: FeatureType }

export async function createFeature(
  { catalogues }: Services,
  { principal }: Context,
  input: Input,
): Promise<Feature> {
  const tracking = computeNewTracking(input.type, input)
  const { catalogue } = await catalogues.change(principal.environment, async (sql, catalogue, now) => {
    if (catalogue.features.has(input.featureKey)) {
      throw conflict(
        'feature_key_taken',
        `featureKey ${quote(input.featureKey)} is taken by another feature.`,
      )
    }
    const { featureKey, name, type } = input
    const description = input.description ?? undefined
    const feature = {
      featureId: randomUUID(),
      featureKey,
      name,
      type,
      description,
      ...tracking,
      createdAt: now,
    }
    await insertFeature(sql, principal.environment, feature)
    await insertAuditEntry(
      sql,
      { principal, now },
      { action: 'feature.create', subject: featureKey, after: feature },
    )
  })
  return getFeature(catalogue, input.featureKey)
}
