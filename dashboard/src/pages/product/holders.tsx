// Who holds which version, and moving those of older ones to the latest.
import { Button } from '@mantine/core'
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { Link } from 'wouter'
import { useMay } from '../../api/session.ts'
import { BarList } from '../../parts/bar-list.tsx'
import { useFilters } from '../../parts/filters.tsx'
import { Migrate } from './migrate.tsx'
import classes from './product.module.css'

type Props = { versions: [Product, ...Product[]]; holders: Map<number, number> | undefined }

export function Holders({ versions, holders }: Props) {
  const [product] = versions
  const mayWrite = useMay()
  const { values, set } = useFilters(['do'] as const)
  const bars =
    holders &&
    versions
      .filter(({ version }, index) => index === 0 || (holders.get(version) ?? 0) > 0)
      .map(({ version }, index) => ({
        key: String(version),
        name: index === 0 ? `Version ${version}, latest` : `Version ${version}`,
        value: holders.get(version) ?? 0,
        tone: index === 0 ? ('accent' as const) : ('soft' as const),
      }))
  const older = [...(holders ?? [])].some(([version, count]) => version < product.version && count > 0)
  return (
    <section aria-labelledby="holders">
      <h2 id="holders" className={classes.title}>
        Customers by version
        {mayWrite && older && (
          <Button variant="default" onClick={() => set('do', 'migrate')}>
            Move to version {product.version}
          </Button>
        )}
      </h2>
      <BarList label="Customers by version" bars={bars} expectedBars={versions.length} />
      <p className={classes.after}>
        <Link href={`/customers?productKey=${encodeURIComponent(product.key)}`}>See these customers</Link>
      </p>
      <Migrate
        versions={versions}
        holders={holders}
        isOpen={values.do === 'migrate' && mayWrite}
        onClose={() => set('do', undefined)}
      />
    </section>
  )
}
