// Charts over time, and the histogram: drawn by a part that is loaded when first needed, in a place of its size, with its sum in
// words for whoever does not see it.
import { Skeleton } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import classes from './chart.module.css'
import { colourOf } from './chart-colours.ts'
import { formatAmount, formatShortDay, formatTime } from './format.ts'

export type ChartPoint = { at: number; values: Record<string, number> }
/** Without a colour of its own it has the one of its place. */
export type ChartSeries = { key: string; name: string; colour?: string }

type Props = {
  kind: 'area' | 'stacked' | 'bars'
  /** What it shows: "Events per hour". */
  label: string
  /** undefined while they are on their way. */
  points: ChartPoint[] | undefined
  series: ChartSeries[]
  interval: 'hour' | 'day'
  height?: number
  hasLegend?: boolean
}

/** Of one line. */
const legendHeight = 32

const Drawing = lazy(async () => ({ default: (await import('./chart-drawing.tsx')).ChartDrawing }))
const Bins = lazy(async () => ({ default: (await import('./chart-drawing.tsx')).HistogramDrawing }))

export function Chart({ kind, label, points, series, interval, height = 220, hasLegend = false }: Props) {
  if (points === undefined) return <Skeleton height={height} />
  if (points.every(({ values }) => Object.values(values).every((value) => value === 0))) {
    return (
      <p className={classes.nothing} style={{ height }}>
        Nothing in this time.
      </p>
    )
  }
  const drawn = hasLegend ? height - legendHeight : height
  return (
    <>
      <Described height={drawn} summary={writeSummary(label, points, series, interval)}>
        <Drawing {...{ kind, points, series, interval }} height={drawn} />
      </Described>
      {hasLegend && <Legend series={series} />}
    </>
  )
}

/** As many lines as it needs. What it tells is in the summary, too. */
function Legend({ series }: { series: ChartSeries[] }) {
  return (
    <ul className={classes.legend} aria-hidden>
      {series.map((each, index) => (
        <li key={each.key}>
          <span className={classes.swatch} style={{ background: colourOf(each, index) }} />
          {each.name}
        </li>
      ))}
    </ul>
  )
}

export type Bin = { from: number; to: number | null; count: number }

type HistogramProps = { label: string; bins: Bin[] | undefined; writeBin(bin: Bin): string; height?: number }

/** How many things lie in each span. */
export function Histogram({ label, bins, writeBin, height = 200 }: HistogramProps) {
  if (bins === undefined) return <Skeleton height={height} />
  const rows = bins.map((bin) => ({ name: writeBin(bin), count: bin.count }))
  const summary = `${label}: ${rows.map(({ name, count }) => `${name} ${formatAmount(count)}`).join(', ')}`
  return (
    <Described height={height} summary={summary}>
      <Bins rows={rows} height={height} />
    </Described>
  )
}

/** Any drawing that is loaded when first needed, with its words. */
export function Described(props: { height: number; summary: string; children: ReactNode }) {
  const { height, summary, children } = props
  return (
    <div className={classes.chart} style={{ height }} role="img" aria-label={summary}>
      <Suspense fallback={<Skeleton height={height} />}>{children}</Suspense>
    </div>
  )
}

function writeSummary(
  label: string,
  points: ChartPoint[],
  series: ChartSeries[],
  interval: 'hour' | 'day',
): string {
  const write = interval === 'hour' ? formatTime : formatShortDay
  const parts = series.map(({ key, name }) => {
    const values = points.map((point) => point.values[key] ?? 0)
    const total = values.reduce((sum, value) => sum + value, 0)
    const highest = Math.max(...values, 0)
    const at = points[values.indexOf(highest)]?.at
    const peak = highest > 0 && at !== undefined ? `, highest ${formatAmount(highest)} at ${write(at)}` : ''
    return `${name} ${formatAmount(total)} in all${peak}`
  })
  return `${label}. ${parts.join('; ')}`
}
