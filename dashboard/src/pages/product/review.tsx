// Before edits are saved: what changes, who would be over a limit, and whether it is for everybody now or a new version.
import { Button, Drawer, Skeleton, TextInput } from '@mantine/core'
import { type UseQueryResult, useMutation } from '@tanstack/react-query'
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { useState } from 'react'
import { useApi, useEnvironment } from '../../api/environment.ts'
import { type AccessItem, toItem } from '../../parts/access-cell.ts'
import { Failure } from '../../parts/failure.tsx'
import { formatAmount, formatCount } from '../../parts/format.ts'
import { type Toast, useToast } from '../../parts/toast.tsx'
import { Difference } from './difference.tsx'
import type { Change } from './draft.ts'
import { OverLimit } from './over-limit.tsx'
import type { Preview } from './preview.ts'
import classes from './review.module.css'

type Props = {
  product: Product
  changes: Change[]
  items: AccessItem[]
  preview: UseQueryResult<Preview, Error>
  isOpen: boolean
  onClose(): void
  onSaved(): void
}

export function Review(props: Props) {
  return (
    <Drawer
      opened={props.isOpen}
      onClose={props.onClose}
      title={`Review changes of ${props.product.name}`}
      size={560}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Changes {...props} />
    </Drawer>
  )
}

function Changes({ product, changes, items, preview, onSaved }: Props) {
  const { key, version } = product
  const api = useApi()
  const toast = useToast()
  const isLive = useEnvironment() === 'live'
  const [typed, setTyped] = useState('')
  const replace = (featureAccess: AccessItem[]) =>
    api.put('/v1/products/{productKey}/feature-access', {
      path: { productKey: key },
      body: { featureAccess },
    })
  const saving = useMutation({
    // Everything is read again before onSuccess: what it was is kept from before.
    mutationFn: async (isNewVersion: boolean): Promise<Toast> => {
      const before = product.featureAccess.map(toItem)
      if (isNewVersion) await api.post('/v1/products/{productKey}/versions', { path: { productKey: key } })
      await replace(items)
      return isNewVersion
        ? { text: `Saved as version ${version + 1}` }
        : { text: `Saved version ${version}`, undo: () => replace(before) }
    },
    onSuccess: (saved) => {
      toast(saved)
      onSaved()
    },
  })
  const { data, error, refetch } = preview
  const takes = changes.some(({ isLess }) => isLess)
  const isReady = !isLive || !takes || typed === key
  return (
    <div className={classes.review}>
      <section>
        <h3 className={classes.title}>{formatCount(changes.length, 'change')}</h3>
        <Difference lines={changes.map((change) => ({ ...change, key: change.featureKey }))} />
      </section>
      <section>
        <h3 className={classes.title}>Who it touches</h3>
        {data !== undefined && (
          <>
            <p>
              {formatAmount(data.affected)} of the {formatCount(data.holders, 'customer')} on version{' '}
              {version} would have something else.
            </p>
            <OverLimit preview={data} />
          </>
        )}
        {data === undefined && error !== null && <Failure error={error} retry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton height={96} />}
      </section>
      {saving.error !== null && (
        <p className={classes.problem} role="alert">
          {saving.error.message}
        </p>
      )}
      <section className={classes.choices}>
        {isLive && takes && (
          <TextInput
            label={`Type ${key} to take something away in live`}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <div className={classes.choice}>
          <Button
            loading={saving.isPending && saving.variables === false}
            disabled={!isReady || saving.isPending}
            onClick={() => saving.mutate(false)}
          >
            Save version {version}
          </Button>
          <p className={classes.soft}>
            At once, for everybody who holds version {version}
            {data === undefined ? '' : `: ${formatCount(data.holders, 'customer')}`}.
          </p>
        </div>
        <div className={classes.choice}>
          <Button
            variant="default"
            loading={saving.isPending && saving.variables === true}
            disabled={(product.isDefault && !isReady) || saving.isPending}
            onClick={() => saving.mutate(true)}
          >
            Save as version {version + 1}
          </Button>
          <p className={classes.soft}>
            {product.isDefault
              ? 'At once for everybody who holds it by default, always in its latest version; those it was assigned to stay where they are.'
              : 'For whoever gets it from now on; others stay where they are until they are moved.'}
          </p>
        </div>
      </section>
    </div>
  )
}
