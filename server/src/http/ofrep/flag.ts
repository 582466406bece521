// A flag on the wire of OpenFeature's protocol: value, reason, variant, and the feature's entry as flat metadata.
import type { Flag } from '../../domain/access/flags.ts'
import { amountToNumber } from '../../domain/amount.ts'
import { writeAccess } from '../resources/feature-access.ts'

/** JSON has no infinity: a figure without an end is a number that no amount reaches, and its variant says so. */
const endless = Number.MAX_SAFE_INTEGER

export function toApiFlag({ flagKey, value, variant, entry }: Flag): object {
  // The entry as every other route writes it; the protocol wants scalars, so usage is not nested.
  const { usage, ...access } = JSON.parse(`{${writeAccess(entry)}}`)
  return {
    key: flagKey,
    value: typeof value === 'boolean' ? value : value === undefined ? endless : amountToNumber(value),
    reason: 'TARGETING_MATCH',
    variant,
    metadata: { featureKey: entry.feature.featureKey, ...access, ...usage },
  }
}
