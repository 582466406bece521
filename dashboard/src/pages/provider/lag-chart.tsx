// How long it took from the provider's event until it was worked off.

import type { ProviderStatus } from '../../api/awaited-provider.ts'
import { Chart } from '../../parts/chart.tsx'
import { Section } from '../../parts/section.tsx'
import classes from './provider.module.css'

export function LagChart({ lagPerHour }: { lagPerHour: ProviderStatus['lagPerHour'] | undefined }) {
  const hasEvents = lagPerHour === undefined || lagPerHour.some(({ count }) => count > 0)
  return (
    <Section title="Lag" note="milliseconds from received to done, last 48 h">
      {hasEvents ? (
        <Chart
          kind="area"
          label="Milliseconds from received to done"
          points={lagPerHour?.map(({ at, p50Ms, maxMs }) => ({ at, values: { maxMs, p50Ms } }))}
          series={[
            { key: 'maxMs', name: 'Slowest', colour: 'var(--amber)' },
            { key: 'p50Ms', name: 'Half of them', colour: 'var(--accent)' },
          ]}
          interval="hour"
          height={160}
          hasLegend
        />
      ) : (
        <p className={classes.soft}>No event came within two days.</p>
      )}
    </Section>
  )
}
