// How many requests came with keys, how many were refused for being too many, and by which key.
import { SegmentedControl } from '@mantine/core'
import { useGet } from '../../api/queries.ts'
import { Chart } from '../../parts/chart.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useFilters } from '../../parts/filters.tsx'
import { formatAmount, formatCount } from '../../parts/format.ts'
import { useRealNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import classes from './developers.module.css'

const [minuteMs, hourMs] = [60_000, 3_600_000]

const spans = [
  { value: '1h', label: 'Hour', ms: hourMs, step: minuteMs },
  { value: '24h', label: 'Day', ms: 24 * hourMs, step: hourMs },
  { value: '7d', label: 'Week', ms: 7 * 24 * hourMs, step: hourMs },
]

export function RequestCharts() {
  const { values, set } = useFilters(['span'] as const)
  const span = spans.find(({ value }) => value === values.span) ?? (spans[0] as (typeof spans)[number])
  // To the minute or hour, so that it asks anew when one has passed and not with every tick.
  const to = (Math.floor(useRealNow() / span.step) + 1) * span.step
  const query = { from: to - span.ms, to }
  const { data, error, refetch } = useGet(
    '/charts/requests',
    { query },
    { isLive: true, keepsPrevious: true },
  )
  const points = data?.points.map(({ at, requests, refused429, errors5xx }) => ({
    at,
    values: { requests: requests - refused429 - errors5xx, refused429, errors5xx },
  }))
  const sum = (name: 'requests' | 'refused429' | 'errors5xx') =>
    data?.points.reduce((total, point) => total + point[name], 0) ?? 0
  return (
    <Section
      title="Requests"
      note={
        data === undefined ? undefined : writeTotals(sum('requests'), sum('refused429'), sum('errors5xx'))
      }
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Span of the charts"
          data={spans.map(({ value, label }) => ({ value, label }))}
          value={span.value}
          onChange={(value) => set('span', value === '1h' ? undefined : value)}
        />
      }
    >
      {data === undefined && error !== null ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <div className={classes.charts}>
          <div>
            <h3 className={classes.label}>Answered, per {span.step === minuteMs ? 'minute' : 'hour'}</h3>
            <Chart
              kind="area"
              label="Requests that were answered"
              points={points}
              series={[{ key: 'requests', name: 'Answered' }]}
              interval="hour"
              height={160}
            />
          </div>
          <div>
            <h3 className={classes.label}>Refused as too many (429), and errors (5xx)</h3>
            <Chart
              kind="bars"
              label="Requests that were refused or failed"
              points={points}
              series={[
                { key: 'refused429', name: '429', colour: 'var(--amber)' },
                { key: 'errors5xx', name: '5xx', colour: 'var(--red)' },
              ]}
              interval="hour"
              height={160}
            />
          </div>
        </div>
      )}
      {data !== undefined && data.byKey.length > 0 && (
        <p className={classes.soft}>
          {data.byKey
            .slice(0, 5)
            .map(
              ({ name, requests, refused429 }) =>
                `${name} ${formatAmount(requests)}${refused429 > 0 ? ` (${formatAmount(refused429)} refused)` : ''}`,
            )
            .join(' · ')}
        </p>
      )}
    </Section>
  )
}

function writeTotals(requests: number, refused: number, errors: number): string {
  const parts = [formatCount(requests, 'request')]
  if (refused > 0) parts.push(`${formatAmount(refused)} refused`)
  if (errors > 0) parts.push(`${formatAmount(errors)} failed`)
  return parts.join(', ')
}
