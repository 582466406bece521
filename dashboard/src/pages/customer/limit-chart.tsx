// One feature's usage against its limit over the last periods, with resets and changes of the plan.
import { Select, Skeleton } from '@mantine/core'
import type { Customer } from '@tollkeeper/sdk/src/generated/api.ts'
import { lazy, useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { Described } from '../../parts/chart.tsx'
import { Failure } from '../../parts/failure.tsx'
import { formatAmount, formatDay } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { useFeatureNames } from './feature-names.ts'

const Drawing = lazy(async () => ({ default: (await import('./limit-chart-drawing.tsx')).LimitChartDrawing }))

const height = 240

export function LimitChart({ customer }: { customer: Customer }) {
  const nameOf = useFeatureNames()
  const counted = Object.entries(customer.featureAccess)
    .filter(([, { hasAccess, usage }]) => hasAccess && usage !== undefined)
    .sort(([, one], [, other]) => (other.usage?.used ?? 0) - (one.usage?.used ?? 0))
    .map(([featureKey]) => featureKey)
  const [chosen, setChosen] = useState<string | null>(null)
  const featureKey = chosen !== null && counted.includes(chosen) ? chosen : counted[0]
  if (featureKey === undefined) return null
  return (
    <Section
      title="Usage against the limit"
      note="last three periods"
      actions={
        <Select
          size="xs"
          w={180}
          aria-label="Feature of the chart"
          data={counted.map((key) => ({ value: key, label: nameOf(key) }))}
          value={featureKey}
          allowDeselect={false}
          onChange={setChosen}
        />
      }
    >
      <OneFeature customerId={customer.customerId} featureKey={featureKey} name={nameOf(featureKey)} />
    </Section>
  )
}

function OneFeature({
  customerId,
  featureKey,
  name,
}: {
  customerId: string
  featureKey: string
  name: string
}) {
  const query = { customerId, featureKey, periods: '3' }
  const { data, error, refetch } = useGet('/charts/limit', { query }, { isLive: true })
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={height} />
    ) : (
      <Failure error={error} retry={() => void refetch()} />
    )
  }
  const last = data.points.at(-1)
  const limit = data.limit.at(-1)?.limit
  const summary = `${name}: ${formatAmount(last?.used ?? 0)} used${
    limit === undefined || limit === null ? '' : ` of ${formatAmount(limit)}`
  }; resets on ${data.resets.map(formatDay).join(', ') || 'no day'}; ${data.changes.map(({ at, text }) => `${formatDay(at)} ${text}`).join(', ')}`
  return (
    <Described height={height} summary={summary}>
      <Drawing chart={data} name={name} height={height} />
    </Described>
  )
}
