// Edits a feature's definition, and says what a change of counting does.
import type { Feature } from '@tollkeeper/sdk/src/generated/api.ts'
import { useEffect } from 'react'
import { useApi } from '../../api/environment.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { FeatureFields, type FeatureValues, NameField } from '../../parts/feature-fields.tsx'
import { useForm } from '../../parts/form.ts'
import { useToast } from '../../parts/toast.tsx'
import classes from './feature.module.css'

type Props = { feature: Feature; isOpen: boolean; onClose(): void }

const toValues = ({ name, description = '', ...counting }: Feature): FeatureValues => ({
  name,
  description,
  tracksUsage: counting.tracksUsage,
  usageResetInterval: counting.usageResetInterval,
  usageResetAnchor: counting.usageResetAnchor,
})

export function EditFeature({ feature, isOpen, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const form = useForm(toValues(feature))
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled in when it is opened, and left alone while it is
  useEffect(() => {
    if (isOpen) form.set(toValues(feature))
  }, [isOpen])
  const send = (values: FeatureValues, before: FeatureValues) =>
    api.put('/v1/features/{featureKey}', {
      path: { featureKey: feature.featureKey },
      body: toBody(values, before),
    })
  const edit = async (values: FeatureValues) => {
    const before = toValues(feature)
    await send(values, before)
    toast({ text: `Saved ${values.name}`, undo: () => send(before, values) })
  }
  const consequence = writeConsequence(form.values, feature)
  return (
    <DrawerForm
      title={`Edit ${feature.name}`}
      action="Save feature"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={edit}
    >
      <NameField form={form} />
      <FeatureFields form={form} type={feature.type} />
      {consequence !== undefined && (
        <p className={classes.warning} role="status">
          {consequence}
        </p>
      )}
    </DrawerForm>
  )
}

/** What changed. */
function toBody(values: FeatureValues, before: FeatureValues) {
  const { name, description, tracksUsage, usageResetInterval, usageResetAnchor } = values
  return {
    ...(name === before.name ? {} : { name }),
    ...(description === before.description ? {} : { description: description === '' ? null : description }),
    ...(tracksUsage === before.tracksUsage ? {} : { tracksUsage }),
    ...(!tracksUsage || usageResetInterval === before.usageResetInterval ? {} : { usageResetInterval }),
    ...(usageResetAnchor === before.usageResetAnchor ? {} : { usageResetAnchor }),
  }
}

function writeConsequence(values: FeatureValues, feature: Feature): string | undefined {
  if (!values.tracksUsage && feature.tracksUsage) {
    return 'Usage and bonuses are hidden, and nothing more can be recorded. Nothing is deleted: turning it on again brings them back.'
  }
  if (values.tracksUsage && !feature.tracksUsage) return 'What was recorded before comes back.'
  const isSame =
    values.usageResetInterval === feature.usageResetInterval &&
    values.usageResetAnchor === feature.usageResetAnchor
  return isSame
    ? undefined
    : 'All usage is sorted into the new periods at once: what customers have used in their current period may change.'
}
