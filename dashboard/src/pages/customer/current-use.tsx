// What the customer has used of the chosen feature, to see before it is changed.
import type { Customer } from '@tollkeeper/sdk/src/generated/api.ts'
import { Meter } from '../../parts/meter.tsx'
import { useFeatureNames } from './feature-names.ts'

export function CurrentUse({ customer, featureKey }: { customer: Customer; featureKey: string | null }) {
  const name = useFeatureNames()(featureKey ?? '')
  const access = featureKey === null ? undefined : customer.featureAccess[featureKey]
  return access === undefined ? null : <Meter name={`${name} now`} access={access} />
}
