// How a feature was used over time, over all customers; the span is in the address.
import { SegmentedControl } from '@mantine/core'
import { Link } from 'wouter'
import { useGet } from '../../api/queries.ts'
import { toCurl } from '../../parts/calls.ts'
import { Chart } from '../../parts/chart.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useFilters } from '../../parts/filters.tsx'
import { formatAmount } from '../../parts/format.ts'
import { useNow } from '../../parts/now.ts'
import classes from './feature.module.css'

const [hourMs, dayMs] = [3_600_000, 86_400_000]

const spans = {
  '48h': { label: '48 h', interval: 'hour', ms: 48 * hourMs },
  '14d': { label: '14 days', interval: 'day', ms: 14 * dayMs },
  '30d': { label: '30 days', interval: 'day', ms: 30 * dayMs },
  '90d': { label: '90 days', interval: 'day', ms: 90 * dayMs },
} as const

const isSpan = (name: string | undefined): name is keyof typeof spans => name !== undefined && name in spans

export function UsageChart({ featureKey }: { featureKey: string }) {
  const { values, set } = useFilters(['span'] as const)
  const span = isSpan(values.span) ? values.span : '30d'
  const { interval, ms } = spans[span]
  const step = interval === 'hour' ? hourMs : dayMs
  const to = (Math.floor(useNow() / step) + 1) * step
  const { data, error, refetch } = useGet(
    '/charts/usage',
    { query: { interval, from: to - ms, to, groupBy: 'none', measure: 'amount', featureKey } },
    { isLive: true, keepsPrevious: true },
  )
  const total = data?.series.reduce((sum, each) => sum + each.total, 0)
  return (
    <section className={classes.part} aria-labelledby="usage">
      <div className={classes.title}>
        <h2 id="usage">
          Usage{' '}
          {total !== undefined && <span className={classes.soft}>{formatAmount(total)} in this span</span>}
        </h2>
        <div className={classes.right}>
          <SegmentedControl
            size="xs"
            transitionDuration={0}
            aria-label="Span of time"
            data={Object.entries(spans).map(([value, { label }]) => ({ value, label }))}
            value={span}
            onChange={(value) => set('span', value)}
          />
          <Link href={`/usage?featureKey=${encodeURIComponent(featureKey)}`}>All usage</Link>
        </div>
      </div>
      {data === undefined && error !== null ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : total === 0 ? (
        <Empty
          text="Nothing was used in this span. Usage appears here within a minute of being recorded."
          call={toCurl({
            method: 'POST',
            path: '/v1/usage',
            body: { customerId: 'acme', featureKey, eventKey: 'request-1', amount: 1 },
          })}
        />
      ) : (
        <Chart
          kind="area"
          label={`Usage in the last ${spans[span].label}`}
          points={data?.points}
          series={data?.series ?? []}
          interval={interval}
          height={240}
        />
      )}
    </section>
  )
}
