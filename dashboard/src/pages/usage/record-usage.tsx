// Records a usage event by hand, for any customer; once however often it is sent.
import { Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/environment.ts'
import { CustomerField } from '../../parts/customer-field.tsx'
import { DateTimeInput, readDateTime } from '../../parts/date-time-input.tsx'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { formatAmount } from '../../parts/format.ts'
import { readMetadata } from '../../parts/metadata.ts'
import { useToast } from '../../parts/toast.tsx'
import { useCountedFeatures } from '../customer/feature-names.ts'
import { writeRefusal } from '../customer/refusal.ts'

type Values = {
  customerId: string
  featureKey: string | null
  amount: number | string
  enforceLimit: boolean
  occurredAt: string
  eventKey: string
  metadata: string
}

type Props = { customerId: string | undefined; featureKey: string | undefined; onClose(): void }

export function RecordUsage({ customerId = '', featureKey = undefined, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const features = useCountedFeatures()
  const [eventKey] = useState(() => `by-hand-${crypto.randomUUID()}`)
  const form = useForm<Values>({
    customerId,
    featureKey: featureKey ?? null,
    amount: 1,
    enforceLimit: false,
    occurredAt: '',
    eventKey,
    metadata: '',
  })
  const chosen = form.values.featureKey ?? features[0]?.value ?? null
  const record = async (values: Values) => {
    const occurredAt = readDateTime(values.occurredAt)
    const { applied, eventId, reason } = await api.post('/v1/usage', {
      body: {
        customerId: values.customerId,
        featureKey: chosen ?? '',
        eventKey: values.eventKey,
        amount: Number(values.amount),
        ...(values.enforceLimit ? { enforceLimit: true } : {}),
        ...(occurredAt === undefined ? {} : { occurredAt }),
        metadata: readMetadata(values.metadata),
      },
    })
    if (!applied || eventId === undefined) throw new Error(writeRefusal(reason))
    toast({
      text: `Recorded ${formatAmount(Number(values.amount))} ${chosen} of ${values.customerId}`,
      undo: () => api.delete('/v1/usage/{id}', { path: { id: eventId } }),
    })
  }
  return (
    <DrawerForm
      title="Record usage"
      action="Record usage"
      isOpen
      onClose={onClose}
      form={form}
      submit={record}
    >
      <CustomerField {...form.field('customerId')} />
      <Select
        label="Feature"
        data={features}
        allowDeselect={false}
        {...form.field('featureKey')}
        value={chosen}
      />
      <NumberInput
        label="Amount"
        description="A negative amount gives usage back"
        thousandSeparator
        {...form.field('amount')}
      />
      <Checkbox
        label="Only if it fits within the limit"
        checked={form.values.enforceLimit}
        onChange={(event) => form.set({ enforceLimit: event.currentTarget.checked })}
      />
      <DateTimeInput label="When" description="Now, when left empty" {...form.field('occurredAt')} />
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
