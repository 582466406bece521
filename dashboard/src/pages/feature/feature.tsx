// A feature: how it is used over time, who uses it most, how near customers are to their limits, and which products give it.
import { Skeleton } from '@mantine/core'
import type { Feature as ApiFeature } from '@tollkeeper/sdk/src/generated/api.ts'
import { useGet } from '../../api/queries.ts'
import type { PageProps } from '../../pages.tsx'
import { Badge } from '../../parts/badge.tsx'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs, type NamedCall } from '../../parts/copy-as.tsx'
import { Failure } from '../../parts/failure.tsx'
import { writeReset, writeType } from '../../parts/feature-words.ts'
import { Id } from '../../parts/id.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './feature.module.css'
import { FeatureActions } from './feature-actions.tsx'
import { GivenBy } from './given-by.tsx'
import { Nearness } from './nearness.tsx'
import { UsageChart } from './usage-chart.tsx'

export function Feature({ params }: PageProps) {
  const featureKey = params.featureKey ?? ''
  const { data, error, refetch } = useGet('/v1/features/{featureKey}', { path: { featureKey } })
  if (data === undefined) {
    return (
      <>
        <PageHeader title={featureKey} isLoading />
        {error === null ? <Skeleton height={420} /> : <Failure error={error} retry={() => void refetch()} />}
      </>
    )
  }
  return <Shown key={featureKey} feature={data.feature} />
}

function Shown({ feature }: { feature: ApiFeature }) {
  const { featureKey, name, description, type, tracksUsage, isArchived, archivedAt, archivedReason } = feature
  return (
    <>
      <PageHeader
        title={name}
        beside={
          <>
            <Badge tone={type === 'boolean' ? 'neutral' : 'accent'}>{writeType(feature)}</Badge>
            {isArchived && <Badge tone="amber">archived</Badge>}
          </>
        }
        below={
          <>
            <Id value={featureKey} />
            {tracksUsage && <span>begins anew {writeReset(feature)}</span>}
            {description !== undefined && <span>{description}</span>}
          </>
        }
        actions={
          <>
            <CopyAs calls={writeCalls(feature)} />
            <FeatureActions feature={feature} />
          </>
        }
      />
      {archivedAt !== null && (
        <p className={classes.notice}>
          Archived <Time at={archivedAt} />
          {archivedReason === null ? '' : `: ${archivedReason}`}. Whoever has it keeps it; it cannot be added
          to a product.
        </p>
      )}
      {tracksUsage ? (
        <>
          <UsageChart featureKey={featureKey} />
          <Nearness featureKey={featureKey} />
        </>
      ) : (
        <p className={classes.nothing}>
          {type === 'boolean'
            ? 'On or off: nothing is counted.'
            : 'Usage is not counted. Turn counting on to see who uses how much; what was recorded before comes back.'}
        </p>
      )}
      <GivenBy featureKey={featureKey} />
    </>
  )
}

function writeCalls({ featureKey, tracksUsage }: ApiFeature): NamedCall[] {
  const key = JSON.stringify(featureKey)
  const check = `/v1/check?customerId=acme&featureKey=${encodeURIComponent(featureKey)}`
  return [
    {
      name: 'Get feature',
      curl: toCurl({ path: `/v1/features/${encodeURIComponent(featureKey)}` }),
      sdk: `await tk.features.get(${key})`,
    },
    { name: 'Check access', curl: toCurl({ path: check }), sdk: `await tk.check('acme', ${key})` },
    ...(tracksUsage
      ? [
          {
            name: 'Record usage',
            curl: toCurl({
              method: 'POST',
              path: '/v1/usage',
              body: { customerId: 'acme', featureKey, eventKey: 'request-1', amount: 1 },
            }),
            sdk: `await tk.track('acme', ${key}, 1)`,
          },
        ]
      : []),
  ]
}
