// Moving customers to the latest version: what it will change for whom, first; then its progress.
import { Button, Drawer, Progress, Select, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { useState } from 'react'
import { useApi, useEnvironment } from '../../api/environment.ts'
import { toCell, toItem } from '../../parts/access-cell.ts'
import { Failure } from '../../parts/failure.tsx'
import { formatAmount, formatCount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'
import { Difference } from './difference.tsx'
import { useMigration } from './migration.ts'
import { OverLimit } from './over-limit.tsx'
import { usePreview } from './preview.ts'
import classes from './review.module.css'

type Props = {
  versions: [Product, ...Product[]]
  holders: Map<number, number> | undefined
  isOpen: boolean
  onClose(): void
}

export function Migrate(props: Props) {
  const [product] = props.versions
  return (
    <Drawer
      opened={props.isOpen}
      onClose={props.onClose}
      title={`Move customers to version ${product.version} of ${product.name}`}
      size={560}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Move {...props} />
    </Drawer>
  )
}

function Move({ versions, holders, onClose }: Props) {
  const [product] = versions
  const toast = useToast()
  const isLive = useEnvironment() === 'live'
  const [from, setFrom] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const fromVersion = from === null ? undefined : Number(from)
  const dryRun = useDryRun(product.key, fromVersion)
  const { running, moved, stop } = useMigration()
  const total = dryRun.data?.migrated
  const older = versions.slice(1).filter(({ version }) => (holders?.get(version) ?? 0) > 0)
  const takes = dryRun.data?.changes.some(({ loses }) => loses) ?? false
  const isReady = total !== undefined && total > 0 && (!isLive || !takes || typed === product.key)
  const move = () =>
    running.mutate(
      { productKey: product.key, latest: product.version, fromVersion, total: total ?? 0 },
      {
        onSuccess: (count) => {
          toast({ text: `Moved ${formatCount(count, 'customer')} to version ${product.version}` })
          if (count === total) onClose()
        },
      },
    )
  return (
    <div className={classes.review}>
      <Select
        label="Who"
        data={older.map(({ version }) => ({
          value: String(version),
          label: `Holders of version ${version} (${formatAmount(holders?.get(version) ?? 0)})`,
        }))}
        value={from}
        placeholder="Holders of all older versions"
        clearable
        disabled={running.isPending}
        onChange={setFrom}
      />
      <section>
        <h3 className={classes.title}>What changes for them</h3>
        {dryRun.data !== undefined && <Changes product={product} dryRun={dryRun.data} />}
        {dryRun.data === undefined && dryRun.error !== null && (
          <Failure error={dryRun.error} retry={() => void dryRun.refetch()} />
        )}
        {dryRun.data === undefined && dryRun.error === null && <Skeleton height={96} />}
      </section>
      {older
        .filter(({ version }) => fromVersion === undefined || fromVersion === version)
        .map(({ version }) => (
          <Over key={version} product={product} version={version} />
        ))}
      {running.isPending && (
        <div role="status">
          <Progress value={total ? (moved / total) * 100 : 0} aria-label="Moved" />
          <p className={classes.soft}>
            Moved {formatAmount(moved)} of {formatCount(total ?? 0, 'customer')}
          </p>
        </div>
      )}
      {running.error !== null && (
        <p className={classes.problem} role="alert">
          {running.error.message} Moved so far: {formatAmount(moved)}. Moving again goes on with the rest.
        </p>
      )}
      <section className={classes.choices}>
        {isLive && takes && (
          <TextInput
            label={`Type ${product.key} to take something away in live`}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <div className={classes.choice}>
          <Button disabled={!isReady} loading={running.isPending} onClick={move}>
            Move {total === undefined ? 'customers' : formatCount(total, 'customer')}
          </Button>
          <Button variant="subtle" color="gray" onClick={running.isPending ? stop : onClose}>
            {running.isPending ? 'Stop' : 'Cancel'}
          </Button>
        </div>
      </section>
    </div>
  )
}

function useDryRun(productKey: string, fromVersion: number | undefined) {
  const [api, environment] = [useApi(), useEnvironment()]
  return useQuery({
    queryKey: [environment, 'migrate', productKey, fromVersion],
    queryFn: () =>
      api.post('/v1/products/{productKey}/migrate', {
        path: { productKey },
        body: { dryRun: true, ...(fromVersion === undefined ? {} : { fromVersion }) },
      }),
  })
}

type DryRun = NonNullable<ReturnType<typeof useDryRun>['data']>

function Changes({ product, dryRun: { migrated, changes } }: { product: Product; dryRun: DryRun }) {
  const names = new Map(product.featureAccess.map(({ featureKey, name }) => [featureKey, name]))
  if (migrated === 0) return <p className={classes.soft}>Nobody holds an older version.</p>
  if (changes.length === 0) {
    return <p className={classes.soft}>Nothing: the versions give the same, only the number changes.</p>
  }
  return (
    <Difference
      lines={changes.map(({ fromVersion, featureKey, customers, loses, before, after }) => ({
        key: `${fromVersion} ${featureKey}`,
        name: names.get(featureKey) ?? featureKey,
        before: toCell(before),
        after: toCell(after),
        isLess: loses,
        note: `${formatCount(customers, 'customer')} of version ${fromVersion}`,
      }))}
    />
  )
}

/** Who of a version's holders would be over a limit under the latest. */
function Over({ product, version }: { product: Product; version: number }) {
  const { data } = usePreview(product.key, product.featureAccess.map(toItem), version)
  if (data === undefined || data.overLimitCount === 0) return null
  return (
    <section>
      <h3 className={classes.title}>Over a limit afterwards, of version {version}</h3>
      <OverLimit preview={data} />
    </section>
  )
}
