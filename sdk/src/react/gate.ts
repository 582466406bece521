// A gate: shows its children to who may use a feature.
'use client'
import type { ReactNode } from 'react'
import type { FeatureKey } from '../keys.ts'
import { useAccess } from './use-access.ts'

export type GateProps = {
  feature: FeatureKey
  /** Shown to who may not: a hint at the plan that has it. */
  fallback?: ReactNode
  /** Shown while nothing is known yet. */
  loading?: ReactNode
  /** `use` (unless given): access, and something left. `hold`: access, used up or not. */
  when?: 'use' | 'hold' | undefined
  children?: ReactNode
}

/** For what people see, not for what they may do: your server checks again when it does the work. */
export function Gate({
  feature,
  fallback = null,
  loading = null,
  when = 'use',
  children,
}: GateProps): ReactNode {
  const { allowed, hasAccess, entry, isLoading } = useAccess(feature)
  if (entry === undefined && isLoading) return loading
  return (when === 'hold' ? hasAccess : allowed) ? children : fallback
}
