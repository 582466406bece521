// Usage over time, stacked by feature, product or customer.
import { SegmentedControl } from '@mantine/core'
import { useGet } from '../../api/queries.ts'
import { Chart } from '../../parts/chart.tsx'
import { Failure } from '../../parts/failure.tsx'
import { formatAmount } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './usage.module.css'
import type { Filters } from './usage-filters.tsx'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const mostHours = 14 * 24
const shownDays = 30

const groups = [
  { value: 'feature', label: 'By feature' },
  { value: 'product', label: 'By product' },
  { value: 'customer', label: 'By customer' },
]

type Query = {
  featureKey?: string
  customerId?: string
  productKey?: string
  from?: number
  to?: number
}

type Props = Filters & { query: Query; now: number }

export function UsageChart({ values, set, query, now }: Props) {
  const { featureKey, customerId, productKey } = query
  const to = query.to ?? now
  const from = query.from ?? to - shownDays * dayMs
  const interval = chooseInterval(values.interval, to - from)
  const groupBy = groups.find(({ value }) => value === values.groupBy)?.value ?? 'feature'
  // Amounts of different features are not one sum.
  const mayAmount = featureKey !== undefined
  const measure = mayAmount && values.measure !== 'events' ? 'amount' : 'events'
  const step = interval === 'hour' ? hourMs : dayMs
  const asked = {
    interval,
    groupBy: groupBy as 'feature',
    measure,
    from: Math.floor(from / step) * step,
    to: Math.ceil(to / step) * step,
    ...(featureKey === undefined ? {} : { featureKey }),
    ...(customerId === undefined ? {} : { customerId }),
    ...(productKey === undefined ? {} : { productKey }),
  } as const
  const chart = useGet('/charts/usage', { query: asked }, { isLive: true, keepsPrevious: true })
  const { data, error } = chart
  const total = data?.series.reduce((sum, series) => sum + series.total, 0)
  return (
    <Section
      title={measure === 'amount' ? 'Amount used' : 'Events'}
      note={
        data !== undefined && (
          <>
            {formatAmount(total ?? 0)} in all, per {interval}
            {(values.search !== undefined || values.source !== undefined) && ' · of every kind and key'}
            {!data.isExact && (
              <>
                {' '}
                · as of <Time at={data.asOf} isReal />
              </>
            )}
          </>
        )
      }
      actions={
        <div className={classes.choices}>
          {mayAmount && (
            <SegmentedControl
              size="xs"
              aria-label="Measure"
              data={[
                { value: 'amount', label: 'Amount' },
                { value: 'events', label: 'Events' },
              ]}
              value={measure}
              onChange={(value) => set('measure', value === 'amount' ? undefined : value)}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label="Group by"
            data={groups}
            value={groupBy}
            onChange={(value) => set('groupBy', value === 'feature' ? undefined : value)}
          />
          <SegmentedControl
            size="xs"
            aria-label="Interval"
            data={[
              { value: 'hour', label: 'Hours', disabled: to - from > mostHours * hourMs },
              { value: 'day', label: 'Days' },
            ]}
            value={interval}
            onChange={(value) => set('interval', value)}
          />
        </div>
      }
    >
      {data === undefined && error !== null ? (
        <Failure error={error} retry={() => void chart.refetch()} />
      ) : (
        <Chart
          kind="stacked"
          label={measure === 'amount' ? 'Amount used' : 'Usage events'}
          points={data?.points}
          series={data?.series ?? []}
          interval={interval}
          height={260}
          hasLegend
        />
      )}
    </Section>
  )
}

/** Hours where a few days are looked at, unless asked for otherwise and not too many. */
function chooseInterval(asked: string | undefined, spanMs: number): 'hour' | 'day' {
  if (spanMs > mostHours * hourMs) return 'day'
  if (asked === 'hour' || asked === 'day') return asked
  return spanMs <= 3 * dayMs ? 'hour' : 'day'
}
