// What archiving or deleting a feature would take along, in sentences.
import { useGet } from '../../api/queries.ts'
import { formatCount } from '../../parts/format.ts'

/** undefined while it is counted. */
export function useImpact(featureKey: string, isAsked: boolean) {
  return useGet('/features/{featureKey}/impact', { path: { featureKey } }, { isEnabled: isAsked })
}

type Impact = NonNullable<ReturnType<typeof useImpact>['data']>

/** "Free and Pro", "Free, Pro and 3 more". */
export function writeProducts({ products }: Impact): string {
  const names = products.map(({ productKey }) => productKey)
  if (names.length > 4) return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

export const writeUsage = ({ customersWithUsage, events }: Impact): string =>
  events === 0
    ? 'No usage was recorded.'
    : `${formatCount(events, 'usage event')} of ${formatCount(customersWithUsage, 'customer')}`
