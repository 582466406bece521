// Which products give a feature, and how much of it, in their latest version.
import { Skeleton } from '@mantine/core'
import { Link } from 'wouter'
import { useProducts } from '../../api/whole-lists.ts'
import { toCell, writeCell } from '../../parts/access-cell.ts'
import { Failure } from '../../parts/failure.tsx'
import { ProductBadges } from '../../parts/product-badges.tsx'
import classes from './feature.module.css'

export function GivenBy({ featureKey }: { featureKey: string }) {
  const { data, error, refetch } = useProducts()
  const giving = data?.flatMap((product) => {
    const entry = product.featureAccess.find((each) => each.featureKey === featureKey)
    return entry === undefined ? [] : [{ product, cell: toCell(entry) }]
  })
  return (
    <section className={classes.given} aria-labelledby="given">
      <h2 id="given" className={classes.title}>
        Given by
      </h2>
      {giving === undefined &&
        (error === null ? <Skeleton height={120} /> : <Failure error={error} retry={() => void refetch()} />)}
      {giving?.length === 0 && (
        <p className={classes.soft}>
          No product gives it yet, so nobody has it. Open <Link href="/products">a product</Link> and set it
          in its matrix.
        </p>
      )}
      {giving?.map(({ product, cell }) => (
        <div key={product.key} className={classes.line}>
          <span className={classes.product}>
            <Link href={`/products/${encodeURIComponent(product.key)}`}>{product.name}</Link>
            <ProductBadges product={product} />
          </span>
          <span className={cell.kind === 'none' ? classes.soft : undefined}>{writeCell(cell)}</span>
        </div>
      ))}
    </section>
  )
}
