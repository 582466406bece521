// Sets the usage of the current period to a value; the difference becomes an adjustment in the ledger.
import { NumberInput, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/environment.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { formatAmount } from '../../parts/format.ts'
import { readMetadata } from '../../parts/metadata.ts'
import { useToast } from '../../parts/toast.tsx'
import { CurrentUse } from './current-use.tsx'
import type { FormProps } from './doing.ts'
import { useCountedFeatures, useFeatureNames } from './feature-names.ts'
import { writeRefusal } from './refusal.ts'

type Values = { featureKey: string | null; used: number | string; metadata: string }

export function SetUsage({ customer, doing }: FormProps) {
  const { customerId } = customer
  const api = useApi()
  const toast = useToast()
  const features = useCountedFeatures()
  const nameOf = useFeatureNames()
  const [eventKey] = useState(() => `by-hand-${crypto.randomUUID()}`)
  const form = useForm<Values>({
    featureKey: doing.featureKey ?? null,
    used: doing.amount === undefined ? '' : Number(doing.amount),
    metadata: '',
  })
  const featureKey = form.values.featureKey ?? features[0]?.value ?? null
  const set = async (values: Values) => {
    const used = Number(values.used)
    const { applied, eventId, reason } = await api.post('/v1/usage/set', {
      body: {
        customerId,
        featureKey: featureKey ?? '',
        used,
        eventKey,
        metadata: readMetadata(values.metadata),
      },
    })
    if (!applied) throw new Error(writeRefusal(reason))
    toast({
      text: `Set ${nameOf(featureKey ?? '')} to ${formatAmount(used)}`,
      ...(eventId === undefined
        ? {}
        : { undo: () => api.delete('/v1/usage/{id}', { path: { id: eventId } }) }),
    })
  }
  return (
    <DrawerForm
      title="Set usage"
      action="Set usage"
      isOpen
      onClose={doing.close}
      form={form}
      submit={set}
      isDisabled={form.values.used === ''}
    >
      <Select
        label="Feature"
        data={features}
        allowDeselect={false}
        {...form.field('featureKey')}
        value={featureKey}
      />
      <CurrentUse customer={customer} featureKey={featureKey} />
      <NumberInput
        label="Used in this period"
        description="The difference is recorded as an adjustment"
        thousandSeparator
        data-autofocus
        {...form.field('used')}
      />
      <Textarea
        label="Metadata"
        description="One line each: key: value"
        autosize
        minRows={2}
        {...form.field('metadata')}
      />
    </DrawerForm>
  )
}
