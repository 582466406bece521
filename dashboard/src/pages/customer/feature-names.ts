// The names of features by their key; a key that is not known is its own name.
import { useGet } from '../../api/queries.ts'

export function useFeatureNames(): (featureKey: string) => string {
  const { data } = useGet('/v1/features', { query: { limit: 100, includeArchived: true } })
  const names = new Map(data?.features.map(({ featureKey, name }) => [featureKey, name]))
  return (featureKey) => names.get(featureKey) ?? featureKey
}

/** Features that usage can be recorded for, to choose from. */
export function useCountedFeatures(): { value: string; label: string }[] {
  const { data } = useGet('/v1/features', { query: { limit: 100, includeArchived: true } })
  return (data?.features ?? [])
    .filter(({ tracksUsage, isArchived }) => tracksUsage && !isArchived)
    .map(({ featureKey, name }) => ({ value: featureKey, label: name }))
}
