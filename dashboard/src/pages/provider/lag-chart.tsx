// How long it took from the provider's event until it was worked off.
import type { ProviderStatus } from '../../api/generated.ts'
import { Chart, type ChartPoint } from '../../parts/chart.tsx'
import { useRealNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import classes from './provider.module.css'

const hourMs = 3_600_000
const hours = 48

type Lag = ProviderStatus['lagPerHour']

export function LagChart({ lagPerHour }: { lagPerHour: Lag | undefined }) {
  const now = useRealNow()
  const hasEvents = lagPerHour === undefined || lagPerHour.some(({ count }) => count > 0)
  return (
    <Section title="Lag" note="milliseconds from received to done, last 48 h">
      {hasEvents ? (
        <Chart
          kind="bars"
          label="Milliseconds from received to done"
          points={lagPerHour === undefined ? undefined : toPoints(lagPerHour, now)}
          series={[
            { key: 'half', name: 'Half of them', colour: 'var(--accent)' },
            { key: 'slowest', name: 'The slowest took so much longer', colour: 'var(--amber)' },
          ]}
          interval="hour"
          height={180}
          hasLegend
        />
      ) : (
        <p className={classes.soft}>No event came within two days.</p>
      )}
    </Section>
  )
}

/** Hours in which nothing came are there, too, as nothing. */
function toPoints(lagPerHour: Lag, now: number): ChartPoint[] {
  const byHour = new Map(lagPerHour.map((hour) => [Math.floor(hour.at / hourMs), hour]))
  const last = Math.floor(now / hourMs)
  return Array.from({ length: hours }, (_, index) => {
    const hour = last - hours + 1 + index
    const { p50Ms = 0, maxMs = 0 } = byHour.get(hour) ?? {}
    return { at: hour * hourMs, values: { half: p50Ms, slowest: Math.max(maxMs - p50Ms, 0) } }
  })
}
