// Archives or unarchives a feature.
import type { Feature } from '../../domain/catalogue/catalogue.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { changeFeature } from './update-feature.ts'

/** Archiving again changes only the reason; unarchiving clears it. */
export function archiveFeature(
  services: Services,
  context: Context,
  featureKey: string,
  { archived, reason }: { archived: boolean; reason?: string | undefined },
): Promise<Feature> {
  const action = archived ? 'feature.archive' : 'feature.unarchive'
  return changeFeature(services, context, featureKey, action, (feature, now) => ({
    ...feature,
    archivedAt: archived ? (feature.archivedAt ?? now) : null,
    archivedReason: archived ? (reason ?? feature.archivedReason) : null,
  }))
}
