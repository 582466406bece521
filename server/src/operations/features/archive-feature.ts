// Archives or unarchives a feature.
import type { Feature } from '../../domain/catalogue/catalogue.ts'
import { invalid } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { changeFeature } from './update-feature.ts'

/** Archiving again changes only the reason; unarchiving clears it. */
export async function archiveFeature(
  services: Services,
  context: Context,
  featureKey: string,
  { archived, reason }: { archived: boolean; reason?: string | undefined },
): Promise<Feature> {
  if (!archived && reason !== undefined) throw invalid('reason goes with archived: true.')
  const action = archived ? 'feature.archive' : 'feature.unarchive'
  return changeFeature(services, context, featureKey, action, (feature, now) => ({
    ...feature,
    archivedAt: archived ? (feature.archivedAt ?? now) : null,
    archivedReason: archived ? (reason ?? feature.archivedReason) : null,
  }))
}
