// Which form is open, as part of the address: every action is a link that can be sent, and that the palette leads to.
import type { Customer } from '@tollkeeper/sdk/src/generated/api.ts'
import { useFilters } from '../../parts/filters.tsx'

export type DoName =
  | 'why'
  | 'give-bonus'
  | 'edit-bonus'
  | 'delete-bonus'
  | 'record-usage'
  | 'set-usage'
  | 'checkout'
  | 'portal'
  | 'products'
  | 'edit'
  | 'delete'

const names = ['do', 'featureKey', 'bonusId', 'amount', 'productKey'] as const
type Details = Partial<Record<Exclude<(typeof names)[number], 'do'>, string>>

export type Doing = Details & {
  do: string | undefined
  open(what: DoName, details?: Details): void
  close(): void
}

/** What every form about a customer is given. */
export type FormProps = { customer: Customer; doing: Doing }

export function useDoing(): Doing {
  const { values, setAll } = useFilters(names)
  return {
    ...values,
    do: values.do,
    open: (what, details = {}) => setAll({ ...nothing, do: what, ...details }),
    close: () => setAll(nothing),
  }
}

const nothing = {
  do: undefined,
  featureKey: undefined,
  bonusId: undefined,
  amount: undefined,
  productKey: undefined,
}
