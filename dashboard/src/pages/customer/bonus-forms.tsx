// Gives a bonus, and changes one.
import { NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import type { Bonus } from '@tollkeeper/sdk/src/generated/api.ts'
import { useState } from 'react'
import { useApi } from '../../api/environment.ts'
import { useGet } from '../../api/queries.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { type Form, useForm } from '../../parts/form.ts'
import { formatAmount } from '../../parts/format.ts'
import { readMetadata, writeMetadata } from '../../parts/metadata.ts'
import { TimeField } from '../../parts/time-field.tsx'
import { useToast } from '../../parts/toast.tsx'
import type { FormProps } from './doing.ts'
import { useCountedFeatures, useFeatureNames } from './feature-names.ts'

type Values = {
  featureKey: string | null
  amount: number | string
  expiresAt: number | undefined
  reason: string
  metadata: string
}

export function GiveBonus({ customer, doing }: FormProps) {
  const { customerId } = customer
  const api = useApi()
  const toast = useToast()
  const features = useCountedFeatures()
  const nameOf = useFeatureNames()
  // The same for every try, so that a lost answer does not give it twice.
  const [key] = useState(() => crypto.randomUUID())
  const form = useForm<Values>({
    featureKey: doing.featureKey ?? null,
    amount: doing.amount === undefined ? '' : Number(doing.amount),
    expiresAt: undefined,
    reason: '',
    metadata: '',
  })
  const featureKey = form.values.featureKey ?? (features.length === 1 ? (features[0]?.value ?? null) : null)
  const give = async ({ amount, expiresAt, reason, metadata }: Values) => {
    const { bonus } = await api.post('/v1/bonuses', {
      header: { 'Idempotency-Key': key },
      body: {
        customerId,
        featureKey: featureKey ?? '',
        amount: Number(amount),
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(reason === '' ? {} : { reason }),
        metadata: readMetadata(metadata),
      },
    })
    const { bonusId } = bonus
    toast({
      text: `Gave ${formatAmount(bonus.amount)} ${nameOf(bonus.featureKey)}`,
      undo: () => api.delete('/v1/bonuses/{bonusId}', { path: { bonusId } }),
    })
  }
  return (
    <DrawerForm title="Give bonus" action="Give bonus" isOpen onClose={doing.close} form={form} submit={give}>
      <Select
        label="Feature"
        data={features}
        allowDeselect={false}
        searchable={features.length > 8}
        {...form.field('featureKey')}
        value={featureKey}
      />
      <BonusFields form={form} />
    </DrawerForm>
  )
}

export function EditBonus({ customer, doing }: FormProps) {
  const { customerId } = customer
  const bonuses = useGet('/v1/bonuses', { query: { customerId } }).data?.bonuses
  const bonus = bonuses?.find(({ bonusId }) => bonusId === doing.bonusId)
  return bonus === undefined ? null : <EditForm bonus={bonus} close={doing.close} />
}

function EditForm({ bonus, close }: { bonus: Bonus; close(): void }) {
  const { bonusId } = bonus
  const api = useApi()
  const toast = useToast()
  const name = useFeatureNames()(bonus.featureKey)
  const form = useForm<Values>({
    featureKey: bonus.featureKey,
    amount: bonus.amount,
    expiresAt: bonus.expiresAt,
    reason: bonus.reason ?? '',
    metadata: writeMetadata(bonus.metadata),
  })
  const change = async ({ amount, expiresAt, reason, metadata }: Values) => {
    await api.put('/v1/bonuses/{bonusId}', {
      path: { bonusId },
      body: {
        amount: Number(amount),
        expiresAt: expiresAt ?? null,
        reason: reason === '' ? null : reason,
        metadata: readMetadata(metadata),
      },
    })
    toast({
      text: 'Changed the bonus',
      undo: () =>
        api.put('/v1/bonuses/{bonusId}', {
          path: { bonusId },
          body: {
            amount: bonus.amount,
            expiresAt: bonus.expiresAt ?? null,
            reason: bonus.reason ?? null,
            metadata: bonus.metadata,
          },
        }),
    })
  }
  return (
    <DrawerForm
      title={`Edit bonus of ${name}`}
      action="Save bonus"
      isOpen
      onClose={close}
      form={form}
      submit={change}
    >
      <BonusFields form={form} />
    </DrawerForm>
  )
}

function BonusFields({ form }: { form: Form<Values> }) {
  return (
    <>
      <NumberInput
        label="Amount"
        description="Extra allowance, used when the plan’s is used up"
        thousandSeparator
        min={0}
        data-autofocus
        {...form.field('amount')}
      />
      <TimeField label="Expires" description="Never, when left empty" {...form.field('expiresAt')} />
      <TextInput label="Reason" placeholder="Why it is given, for your team" {...form.field('reason')} />
      <Textarea
        label="Metadata"
        description="One line each: key: value"
        autosize
        minRows={2}
        {...form.field('metadata')}
      />
    </>
  )
}
