// Records a usage event by hand, once however often it is sent.
import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/environment.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { formatAmount } from '../../parts/format.ts'
import { readMetadata } from '../../parts/metadata.ts'
import { TimeField } from '../../parts/time-field.tsx'
import { useToast } from '../../parts/toast.tsx'
import { CurrentUse } from './current-use.tsx'
import type { FormProps } from './doing.ts'
import { useCountedFeatures, useFeatureNames } from './feature-names.ts'
import { writeRefusal } from './refusal.ts'

type Values = {
  featureKey: string | null
  amount: number | string
  occurredAt: number | undefined
  eventKey: string
  enforceLimit: boolean
  metadata: string
}

export function RecordUsage({ customer, doing }: FormProps) {
  const { customerId } = customer
  const api = useApi()
  const toast = useToast()
  const features = useCountedFeatures()
  const nameOf = useFeatureNames()
  const [eventKey] = useState(() => `by-hand-${crypto.randomUUID()}`)
  const form = useForm<Values>({
    featureKey: doing.featureKey ?? null,
    amount: doing.amount === undefined ? 1 : Number(doing.amount),
    occurredAt: undefined,
    eventKey,
    enforceLimit: false,
    metadata: '',
  })
  const featureKey = form.values.featureKey ?? features[0]?.value ?? null
  const record = async (values: Values) => {
    const { occurredAt } = values
    const result = await api.post('/v1/usage', {
      body: {
        customerId,
        featureKey: featureKey ?? '',
        eventKey: values.eventKey,
        amount: Number(values.amount),
        ...(occurredAt === undefined ? {} : { occurredAt }),
        ...(values.enforceLimit ? { enforceLimit: true } : {}),
        metadata: readMetadata(values.metadata),
      },
    })
    const { applied, eventId, reason } = result
    if (!applied || eventId === undefined) throw new Error(writeRefusal(reason))
    toast({
      text: `Recorded ${formatAmount(Number(values.amount))} ${nameOf(featureKey ?? '')}`,
      undo: () => api.delete('/v1/usage/{id}', { path: { id: eventId } }),
    })
  }
  return (
    <DrawerForm
      title="Record usage"
      action="Record usage"
      isOpen
      onClose={doing.close}
      form={form}
      submit={record}
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
        label="Amount"
        description="A negative amount gives usage back"
        thousandSeparator
        data-autofocus
        {...form.field('amount')}
      />
      <Checkbox
        label="Only if it fits within the limit"
        checked={form.values.enforceLimit}
        onChange={(event) => form.set({ enforceLimit: event.currentTarget.checked })}
      />
      <TimeField
        label="When"
        description="Now, when left empty"
        isAhead={false}
        {...form.field('occurredAt')}
      />
      <TextInput label="Event key" description="The same key is counted once" {...form.field('eventKey')} />
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
