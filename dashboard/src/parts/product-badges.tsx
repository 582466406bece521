// What kind of product it is, in small words.
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { Badge } from './badge.tsx'

type Props = {
  product: Pick<Product, 'type' | 'isDefault' | 'isAddOn' | 'isArchived' | 'limitsPerUnit'>
  /** true: also whether it is custom or the payment provider's. */
  hasType?: boolean
}

export function ProductBadges({ product, hasType = false }: Props) {
  const { type, isDefault, isAddOn, isArchived, limitsPerUnit } = product
  return (
    <>
      {hasType && <Badge>{type === 'custom' ? 'custom' : 'payment provider'}</Badge>}
      {isDefault && <Badge tone="accent">default</Badge>}
      {isAddOn && <Badge tone="violet">add-on</Badge>}
      {limitsPerUnit && <Badge>limits per unit</Badge>}
      {isArchived && <Badge tone="amber">archived</Badge>}
    </>
  )
}
