// What a row of the products says.
import { Skeleton } from '@mantine/core'
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { formatAmount } from '../../parts/format.ts'
import { Id } from '../../parts/id.tsx'
import { writePrice } from '../../parts/price.ts'
import { ProductBadges } from '../../parts/product-badges.tsx'
import type { Column } from '../../parts/table.tsx'
import classes from './products.module.css'

/** `holders` by key; undefined while they are counted. */
export function writeProductColumns(holders: Map<string, number> | undefined): Column<Product>[] {
  return [
    {
      title: 'Product',
      cell: ({ name, key }) => (
        <span className={classes.what}>
          <span className={classes.name}>{name}</span>
          <code className={classes.key}>{key}</code>
        </span>
      ),
    },
    {
      title: 'Kind',
      from: 700,
      cell: (product) => (
        <span className={classes.badges}>
          <ProductBadges product={product} hasType />
        </span>
      ),
    },
    { title: 'Prices', cell: ({ prices }) => <Prices prices={prices} /> },
    {
      title: 'Features',
      from: 1000,
      align: 'right',
      width: 90,
      cell: ({ featureAccess }) => formatAmount(featureAccess.filter(({ hasAccess }) => hasAccess).length),
    },
    { title: 'Version', from: 1000, align: 'right', width: 80, cell: ({ version }) => formatAmount(version) },
    {
      title: 'At the provider',
      from: 1000,
      width: 190,
      cell: ({ providerProductId }) =>
        providerProductId === null ? (
          <span className={classes.soft}>—</span>
        ) : (
          <Id value={providerProductId} text={shorten(providerProductId)} />
        ),
    },
    {
      title: 'Customers',
      align: 'right',
      width: 100,
      cell: ({ key }) =>
        holders === undefined ? (
          <Skeleton height={10} width={32} className={classes.pushed ?? ''} />
        ) : (
          formatAmount(holders.get(key) ?? 0)
        ),
    },
  ]
}

const shorten = (id: string): string => (id.length > 18 ? `${id.slice(0, 16)}…` : id)

function Prices({ prices }: { prices: Product['prices'] }) {
  const active = prices.filter(({ isActive }) => isActive)
  const first = active.find(({ isDefault }) => isDefault) ?? active[0]
  if (first === undefined) return <span className={classes.soft}>—</span>
  return (
    <span title={active.map(writePrice).join('\n')}>
      {writePrice(first)}
      {active.length > 1 && <span className={classes.soft}> +{active.length - 1}</span>}
    </span>
  )
}
