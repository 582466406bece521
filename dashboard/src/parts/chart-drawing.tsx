// Draws charts; loaded with the packages that do it when the first chart is shown.
import '@mantine/charts/styles.layer.css'
import { AreaChart, BarChart } from '@mantine/charts'
import type { ChartPoint, ChartSeries } from './chart.tsx'
import { colourOf } from './chart-colours.ts'
import { formatAmount, formatClock, formatCompact, formatShortDay, formatTime } from './format.ts'

export const axisProps = {
  tickLine: 'none',
  gridAxis: 'x',
  strokeDasharray: '0',
  gridColor: 'var(--line)',
  textColor: 'var(--ink-soft)',
  valueFormatter: formatCompact,
  accessibilityLayer: false,
} as const

type Props = {
  kind: 'area' | 'stacked' | 'bars'
  points: ChartPoint[]
  series: ChartSeries[]
  interval: 'hour' | 'day'
  height: number
}

export function ChartDrawing({ kind, points, series, interval, height }: Props) {
  // Keys of features may have dots in them, which the drawing would take for a way into an object.
  const data = points.map(({ at, values }) => ({
    at,
    ...Object.fromEntries(series.map(({ key }, index) => [`s${index}`, values[key] ?? 0])),
  }))
  const drawn = series.map((each, index) => ({
    name: `s${index}`,
    label: each.name,
    color: colourOf(each, index),
  }))
  const shared = {
    ...axisProps,
    h: height,
    data,
    dataKey: 'at',
    series: drawn,
    xAxisProps: { tickFormatter: interval === 'hour' ? formatHour : formatShortDay, minTickGap: 32 },
    yAxisProps: { width: 44, tickFormatter: formatCompact, allowDecimals: hasDecimals(points) },
    tooltipProps: { labelFormatter: interval === 'hour' ? formatTime : formatShortDay },
  } as const
  if (kind === 'bars')
    return <BarChart {...(shared as object)} {...pick(shared)} type="stacked" maxBarWidth={24} />
  return (
    <AreaChart
      {...(shared as object)}
      {...pick(shared)}
      type={kind === 'stacked' ? 'stacked' : 'default'}
      curveType="monotone"
      withDots={false}
      strokeWidth={1.5}
      fillOpacity={kind === 'stacked' ? 0.35 : 0.15}
      areaProps={{ isAnimationActive: false }}
    />
  )
}

const pick = <Props extends { data: object[]; dataKey: string; series: object[] }>({
  data,
  dataKey,
  series,
}: Props) => ({
  data,
  dataKey,
  series: series as { name: string; color: string }[],
})

/** Half a request is none. */
const hasDecimals = (points: ChartPoint[]): boolean =>
  points.some(({ values }) => Object.values(values).some((value) => !Number.isInteger(value)))

/** Midnight is the day, other hours are hours. */
function formatHour(at: number): string {
  return new Date(at).getHours() === 0 ? formatShortDay(at) : formatClock(at)
}

export function HistogramDrawing({
  rows,
  height,
}: {
  rows: { name: string; count: number }[]
  height: number
}) {
  return (
    <BarChart
      {...axisProps}
      h={height}
      data={rows}
      dataKey="name"
      series={[{ name: 'count', label: 'Customers', color: 'var(--accent)' }]}
      valueFormatter={formatAmount}
      barProps={{ isAnimationActive: false, radius: [3, 3, 0, 0] }}
      xAxisProps={{
        interval: 'preserveStartEnd',
        minTickGap: 2,
        tick: { fontSize: 11, fill: 'var(--ink-soft)' },
      }}
      yAxisProps={{ width: 44, allowDecimals: false }}
    />
  )
}
