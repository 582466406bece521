// Changing rows of features. Call these under the catalogue's lock.
import type { Feature } from '../../domain/catalogue/catalogue.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export async function insertFeature(
  sql: Sql,
  environment: Environment,
  feature: Omit<Feature, 'featureNo' | 'archivedAt' | 'archivedReason'>,
): Promise<void> {
  await sql.query(
    `insert into feature (feature_id, environment, feature_key, name, description, type, tracks_usage,
       usage_reset_interval, usage_reset_anchor, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      feature.featureId,
      environment,
      feature.featureKey,
      feature.name,
      feature.description,
      feature.type,
      feature.tracksUsage,
      feature.usageResetInterval,
      feature.usageResetAnchor,
      feature.createdAt,
    ],
  )
}

/** Writes all that may change of a feature. */
export async function updateFeature(sql: Sql, feature: Feature): Promise<void> {
  await sql.query(
    `update feature set name = $2, description = $3, tracks_usage = $4, usage_reset_interval = $5,
       usage_reset_anchor = $6, archived_at = $7, archived_reason = $8
     where feature_id = $1`,
    [
      feature.featureId,
      feature.name,
      feature.description,
      feature.tracksUsage,
      feature.usageResetInterval,
      feature.usageResetAnchor,
      feature.archivedAt,
      feature.archivedReason,
    ],
  )
}

/** Its entries in product configurations go with it; its usage is dead at once, its number being gone. */
export async function deleteFeatureRow(sql: Sql, featureId: string): Promise<void> {
  await sql.query('delete from feature where feature_id = $1', [featureId])
}
