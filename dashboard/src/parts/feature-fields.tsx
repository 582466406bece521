// The fields of a feature's definition, for creating and for editing one.
import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import type { Feature } from '@tollkeeper/sdk/src/generated/api.ts'
import { resetIntervals, writeInterval } from './feature-words.ts'
import type { Form } from './form.ts'

export type FeatureValues = {
  name: string
  description: string
  tracksUsage: boolean
  usageResetInterval: Feature['usageResetInterval']
  usageResetAnchor: Feature['usageResetAnchor']
}

type Props<Values extends FeatureValues> = { form: Form<Values>; type: Feature['type'] }

const anchors: { value: Feature['usageResetAnchor']; label: string }[] = [
  { value: 'billing_cycle', label: 'with each customer’s billing' },
  { value: 'calendar', label: 'by the calendar (UTC)' },
]

/** Of a feature that is on or off nothing is counted. */
export function FeatureFields<Values extends FeatureValues>({ form, type }: Props<Values>) {
  const fields = form as unknown as Form<FeatureValues>
  const { tracksUsage, usageResetInterval } = fields.values
  return (
    <>
      <Textarea
        label="Description"
        description="For whoever reads the catalogue"
        autosize
        minRows={1}
        {...fields.field('description')}
      />
      {type === 'limit' && (
        <Checkbox
          label="Count usage"
          description="Off, the limit is told and nothing is counted against it: for what your own code counts"
          checked={tracksUsage}
          error={fields.field('tracksUsage').error}
          onChange={(event) => fields.set({ tracksUsage: event.currentTarget.checked })}
        />
      )}
      {type === 'limit' && tracksUsage && (
        <Select
          label="Usage begins anew"
          allowDeselect={false}
          data={resetIntervals.map((value) => ({ value, label: writeInterval(value) }))}
          {...fields.field('usageResetInterval')}
        />
      )}
      {type === 'limit' && tracksUsage && usageResetInterval !== 'never' && (
        <Select
          label="Counted from"
          description="When a period begins: with the subscription, else with the customer’s first use; or for everybody at the same time"
          allowDeselect={false}
          data={anchors}
          {...fields.field('usageResetAnchor')}
        />
      )}
    </>
  )
}

export function NameField<Values extends FeatureValues>({ form }: { form: Form<Values> }) {
  return (
    <TextInput
      label="Name"
      placeholder="API calls"
      required
      data-autofocus
      {...(form as unknown as Form<FeatureValues>).field('name')}
    />
  )
}
