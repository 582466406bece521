// Events per hour of the last two days, by feature.
import { useMemo } from 'react'
import { useGet } from '../../api/queries.ts'
import { Chart } from '../../parts/chart.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useNow } from '../../parts/now.ts'
import classes from './home.module.css'

const hourMs = 3_600_000
const hours = 48

export function EventsChart() {
  // To the hour, so that the chart asks anew when one has passed and not with every tick.
  const to = (Math.floor(useNow() / hourMs) + 1) * hourMs
  const query = useMemo(
    () =>
      ({ interval: 'hour', groupBy: 'feature', measure: 'events', from: to - hours * hourMs, to }) as const,
    [to],
  )
  const { data, error, refetch } = useGet('/charts/usage', { query }, { isLive: true, keepsPrevious: true })
  return (
    <section aria-labelledby="events">
      <h2 id="events" className={classes.title}>
        Events per hour <span className={classes.soft}>last 48 h, by feature</span>
      </h2>
      {data === undefined && error !== null ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Chart
          kind="bars"
          label="Events per hour in the last 48 hours by feature"
          points={data?.points}
          series={data?.series ?? []}
          interval="hour"
          height={240}
          hasLegend
        />
      )}
    </section>
  )
}
