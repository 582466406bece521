// Customers per product, as bars; what few hold is drawn together.
import type { UseQueryResult } from '@tanstack/react-query'
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import type { AnswerOf, EnvironmentOperations } from '../../api/operations.ts'
import { type Bar, BarList } from '../../parts/bar-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { formatShare } from '../../parts/format.ts'
import classes from './products.module.css'

type Holders = AnswerOf<EnvironmentOperations['GET /products/holders']>

const barsAtMost = 8

type Props = { products: Product[] | undefined; holders: UseQueryResult<Holders, Error> }

export function HoldersChart({ products, holders }: Props) {
  if (products?.length === 0) return null
  const bars = products && holders.data && writeBars(products, holders.data)
  if (bars?.length === 0) return null
  return (
    <section className={classes.chart} aria-labelledby="holders">
      <h2 id="holders" className={classes.title}>
        Customers per product
      </h2>
      {bars === undefined && holders.error !== null ? (
        <Failure error={holders.error} retry={() => void holders.refetch()} />
      ) : (
        <BarList label="Customers per product" bars={bars} expectedBars={5} />
      )}
    </section>
  )
}

function writeBars(products: Product[], { products: counted }: Holders): Bar[] {
  const byKey = new Map(products.map((product) => [product.key, product]))
  const held = counted
    .filter(({ productKey, holders }) => holders > 0 || byKey.get(productKey)?.isArchived === false)
    .sort((one, other) => other.holders - one.holders)
  const total = held.reduce((sum, { holders }) => sum + holders, 0)
  const write = (holders: number) => (total === 0 ? undefined : `· ${formatShare(holders / total)}`)
  const shown = held.length > barsAtMost ? held.slice(0, barsAtMost - 1) : held
  const rest = held.slice(shown.length).reduce((sum, { holders }) => sum + holders, 0)
  return [
    ...shown.map(({ productKey, holders }): Bar => {
      const product = byKey.get(productKey)
      return {
        key: productKey,
        name: product?.name ?? productKey,
        value: holders,
        note: write(holders),
        href: `/products/${encodeURIComponent(productKey)}`,
        tone: product?.isArchived ? 'soft' : 'accent',
      }
    }),
    ...(rest > 0
      ? [{ key: ' rest', name: 'All others', value: rest, note: write(rest), tone: 'soft' } as Bar]
      : []),
  ]
}
