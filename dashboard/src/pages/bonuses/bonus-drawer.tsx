// One bonus: what is drawn of it, and editing or deleting it.
import { Button, Drawer, NumberInput, Skeleton, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Bonus } from '@tollkeeper/sdk/src/generated/api.ts'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/environment.ts'
import { useGet } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs } from '../../parts/copy-as.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useForm } from '../../parts/form.ts'
import { formatAmount } from '../../parts/format.ts'
import { Id } from '../../parts/id.tsx'
import { readMetadata, writeMetadata } from '../../parts/metadata.ts'
import { useNow } from '../../parts/now.ts'
import { Time } from '../../parts/time.tsx'
import { TimeField } from '../../parts/time-field.tsx'
import { useToast } from '../../parts/toast.tsx'
import { findState } from './bonus-columns.tsx'
import classes from './bonuses.module.css'
import { DeleteBonus } from './delete-bonus.tsx'

export function BonusDrawer({ bonusId, onClose }: { bonusId: string | undefined; onClose(): void }) {
  const { data, error, refetch } = useGet(
    '/v1/bonuses/{bonusId}',
    { path: { bonusId: bonusId ?? '' } },
    { isEnabled: bonusId !== undefined },
  )
  return (
    <Drawer
      opened={bonusId !== undefined}
      onClose={onClose}
      title="Bonus"
      size={440}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {data !== undefined && <Shown key={data.bonus.bonusId} bonus={data.bonus} onClose={onClose} />}
      {data === undefined && error !== null && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={320} />}
    </Drawer>
  )
}

function Shown({ bonus, onClose }: { bonus: Bonus; onClose(): void }) {
  const { word, tone } = findState(bonus, useNow())
  const mayWrite = useMay()
  return (
    <div className={classes.drawer}>
      <dl className={classes.facts}>
        <dt>Customer</dt>
        <dd>
          <Link href={`/customers/${encodeURIComponent(bonus.customerId)}`}>{bonus.customerId}</Link>
        </dd>
        <dt>Feature</dt>
        <dd>
          <Link href={`/features/${encodeURIComponent(bonus.featureKey)}`}>{bonus.featureKey}</Link>
        </dd>
        <dt>State</dt>
        <dd>
          <Badge tone={tone}>{word}</Badge>
        </dd>
        <dt>Drawn</dt>
        <dd>
          {formatAmount(bonus.amount - bonus.remainingAmount)} of {formatAmount(bonus.amount)}
        </dd>
        <dt>Given</dt>
        <dd>
          <Time at={bonus.createdAt} />
        </dd>
        {bonus.updatedAt !== bonus.createdAt && (
          <>
            <dt>Changed</dt>
            <dd>
              <Time at={bonus.updatedAt} />
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd>
          <Id value={bonus.bonusId} />
        </dd>
        {!mayWrite && <ReadOnly bonus={bonus} />}
      </dl>
      {mayWrite ? <Edit bonus={bonus} onClose={onClose} /> : <CopyAs calls={writeCalls(bonus)} />}
    </div>
  )
}

function ReadOnly({ bonus: { expiresAt, reason, metadata } }: { bonus: Bonus }) {
  return (
    <>
      <dt>Expires</dt>
      <dd>{expiresAt === undefined ? 'never' : <Time at={expiresAt} />}</dd>
      {reason !== undefined && (
        <>
          <dt>Reason</dt>
          <dd>{reason}</dd>
        </>
      )}
      {Object.entries(metadata).map(([name, value]) => [
        <dt key={`${name} name`}>{name}</dt>,
        <dd key={name}>{value}</dd>,
      ])}
    </>
  )
}

const toValues = ({ amount, expiresAt, reason = '', metadata }: Bonus) => ({
  amount: amount as number | string,
  expiresAt: expiresAt as number | undefined,
  reason,
  metadata: writeMetadata(metadata),
})

type Values = ReturnType<typeof toValues>

function Edit({ bonus, onClose }: { bonus: Bonus; onClose(): void }) {
  const api = useApi()
  const toast = useToast()
  const form = useForm(toValues(bonus))
  const [isDeleting, setDeleting] = useState(false)
  const path = { bonusId: bonus.bonusId }
  const drawn = bonus.amount - bonus.remainingAmount
  const saving = useMutation({
    // Everything is read again before onSuccess: what it was is kept from before.
    mutationFn: async () => {
      const before = toBody(toValues(bonus))
      await api.put('/v1/bonuses/{bonusId}', { path, body: toBody(form.values) })
      return before
    },
    onSuccess: (body) => {
      toast({ text: 'Saved bonus', undo: () => api.put('/v1/bonuses/{bonusId}', { path, body }) })
      onClose()
    },
    onError: form.fail,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!saving.isPending) saving.mutate()
  }
  return (
    <>
      <form className={classes.drawer} onSubmit={send} noValidate>
        <NumberInput
          label="Amount"
          description={drawn > 0 ? `At least the ${formatAmount(drawn)} that are drawn` : undefined}
          required
          hideControls
          allowNegative={false}
          thousandSeparator=","
          {...form.field('amount')}
        />
        <TimeField
          label="Expires"
          description="One that has expired comes back with a later time"
          {...form.field('expiresAt')}
          onChange={(expiresAt) => form.set({ expiresAt })}
        />
        <TextInput label="Reason" {...form.field('reason')} />
        <Textarea
          label="Metadata"
          description="One line each: key: value"
          autosize
          minRows={1}
          {...form.field('metadata')}
        />
        {form.problem !== undefined && <p role="alert">{form.problem}</p>}
        <div className={classes.foot}>
          <Button type="submit" loading={saving.isPending}>
            Save bonus
          </Button>
          <CopyAs calls={writeCalls(bonus)} />
          <Button variant="subtle" color="red.8" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      </form>
      {/* Beside the form, not in it: what is sent there would be sent here, too. */}
      <DeleteBonus bonus={bonus} isOpen={isDeleting} onClose={() => setDeleting(false)} onDeleted={onClose} />
    </>
  )
}

const toBody = ({ amount, expiresAt, reason, metadata }: Values) => ({
  ...(amount === '' ? {} : { amount: Number(amount) }),
  expiresAt: expiresAt ?? null,
  reason: reason === '' ? null : reason,
  metadata: readMetadata(metadata),
})

const writeCalls = ({ bonusId }: Bonus) => [
  {
    name: 'Get bonus',
    curl: toCurl({ path: `/v1/bonuses/${bonusId}` }),
    sdk: `await tk.bonuses.get('${bonusId}')`,
  },
]
