// What a row of the features says.
import { Skeleton } from '@mantine/core'
import type { Feature, Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { Link } from 'wouter'
import { toCell, writeCell } from '../../parts/access-cell.ts'
import { Badge } from '../../parts/badge.tsx'
import { writeReset, writeType } from '../../parts/feature-words.ts'
import type { Column } from '../../parts/table.tsx'
import classes from './features.module.css'

/** `products` undefined while they are on their way. */
export const writeFeatureColumns = (products: Product[] | undefined): Column<Feature>[] => [
  {
    title: 'Feature',
    cell: ({ name, featureKey }) => (
      <span className={classes.what}>
        <span className={classes.name}>{name}</span>
        <code className={classes.key}>{featureKey}</code>
      </span>
    ),
  },
  {
    title: 'Type',
    width: 180,
    cell: (feature) => (
      <span className={classes.badges}>
        <Badge tone={feature.type === 'boolean' ? 'neutral' : 'accent'}>{writeType(feature)}</Badge>
        {feature.isArchived && <Badge tone="amber">archived</Badge>}
      </span>
    ),
  },
  { title: 'Begins anew', width: 200, from: 700, cell: (feature) => writeReset(feature) },
  {
    title: 'Used by',
    from: 700,
    cell: (feature) =>
      products === undefined ? (
        <Skeleton height={10} width="60%" />
      ) : (
        <UsedBy feature={feature} products={products} />
      ),
  },
]

const shownAtMost = 4

function UsedBy({ feature, products }: { feature: Feature; products: Product[] }) {
  const giving = products
    .filter(({ isArchived }) => !isArchived)
    .flatMap((product) => {
      const entry = product.featureAccess.find(({ featureKey }) => featureKey === feature.featureKey)
      return entry?.hasAccess ? [{ product, cell: toCell(entry) }] : []
    })
  if (giving.length === 0) return <span className={classes.soft}>no product</span>
  return (
    <span className={classes.badges}>
      {giving.slice(0, shownAtMost).map(({ product: { key, name }, cell }) => (
        <Link
          key={key}
          className={classes.product ?? ''}
          href={`/products/${encodeURIComponent(key)}`}
          title={`${name}: ${writeCell(cell)}`}
        >
          {name}
          {cell.kind !== 'access' && <span className={classes.soft}> {writeCell(cell)}</span>}
        </Link>
      ))}
      {giving.length > shownAtMost && <span className={classes.soft}>+{giving.length - shownAtMost}</span>}
    </span>
  )
}
