// Draws usage as a rising area, the limit as a dashed line over it, resets as hairlines and changes as marks.
import '@mantine/charts/styles.layer.css'
import { CompositeChart } from '@mantine/charts'
import type { AnswerOf, EnvironmentOperations } from '../../api/operations.ts'
import { axisProps } from '../../parts/chart-drawing.tsx'
import { formatAmount, formatCompact, formatShortDay, formatTime } from '../../parts/format.ts'

type Chart = AnswerOf<EnvironmentOperations['GET /charts/limit']>

type Props = { chart: Chart; name: string; height: number }

export function LimitChartDrawing({ chart, name, height }: Props) {
  const data = joinPoints(chart)
  // A mark near the end has its words before it.
  const middle = ((data[0]?.at ?? 0) + (data.at(-1)?.at ?? 0)) / 2
  const hasLimit = chart.limit.some(({ limit }) => limit !== null)
  return (
    <CompositeChart
      {...axisProps}
      h={height}
      data={data}
      dataKey="at"
      valueFormatter={formatAmount}
      series={[
        { name: 'used', label: name, color: 'var(--accent)', type: 'area' },
        ...(hasLimit
          ? [
              {
                name: 'limit',
                label: 'Limit',
                color: 'var(--red)',
                type: 'line' as const,
                strokeDasharray: '4 4',
              },
            ]
          : []),
      ]}
      withDots={false}
      strokeWidth={1.5}
      curveType="linear"
      areaProps={{ isAnimationActive: false, fillOpacity: 0.15 }}
      lineProps={{ isAnimationActive: false, type: 'stepAfter' }}
      xAxisProps={{
        type: 'number',
        scale: 'time',
        domain: ['dataMin', 'dataMax'],
        tickFormatter: formatShortDay,
        minTickGap: 40,
      }}
      yAxisProps={{ width: 48, tickFormatter: formatCompact }}
      tooltipProps={{ labelFormatter: (at) => formatTime(Number(at)) }}
      referenceLines={[
        ...chart.resets.map((at) => ({ x: at, color: 'var(--line)', strokeDasharray: '0' })),
        ...chart.changes.map(({ at, text }) => ({
          x: at,
          color: 'var(--violet)',
          label: text,
          labelPosition: at > middle ? ('insideTopRight' as const) : ('insideTopLeft' as const),
        })),
      ]}
    />
  )
}

type Point = { at: number; used: number | null; limit: number | null }

/** One row a time, with the limit that was in force then; steps of the limit are times, too. */
function joinPoints({ points, limit }: Chart): Point[] {
  const findLimit = (at: number) => limit.find(({ from, to }) => at >= from && at < to)?.limit ?? null
  const rows: Point[] = points.map(({ at, used }) => ({ at, used, limit: findLimit(at) }))
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  for (const step of limit) {
    if (step.from > first && step.from < last) rows.push({ at: step.from, used: null, limit: step.limit })
  }
  return rows.sort((one, other) => one.at - other.at)
}
