// Creates a feature.
import { Radio, TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import { useApi } from '../../api/environment.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { FeatureFields, type FeatureValues, NameField } from '../../parts/feature-fields.tsx'
import { useForm } from '../../parts/form.ts'
import { useToast } from '../../parts/toast.tsx'

type Values = FeatureValues & { featureKey: string; type: 'boolean' | 'limit' }

const empty: Values = {
  featureKey: '',
  name: '',
  type: 'limit',
  description: '',
  tracksUsage: true,
  usageResetInterval: 'month',
  usageResetAnchor: 'billing_cycle',
}

export function CreateFeature({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const api = useApi()
  const toast = useToast()
  const [, navigate] = useLocation()
  const form = useForm(empty)
  const create = async ({ featureKey, name, type, description, ...counting }: Values) => {
    const { tracksUsage, usageResetInterval, usageResetAnchor } = counting
    await api.post('/v1/features', {
      body: {
        featureKey,
        name,
        type,
        ...(description === '' ? {} : { description }),
        ...(type === 'limit' ? { tracksUsage } : {}),
        ...(type === 'limit' && tracksUsage ? { usageResetInterval, usageResetAnchor } : {}),
      },
    })
    form.reset()
    toast({ text: `Created ${name}` })
    navigate(`/features/${encodeURIComponent(featureKey)}`)
  }
  return (
    <DrawerForm
      title="Create feature"
      action="Create feature"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={create}
    >
      <NameField form={form} />
      <TextInput
        label="Feature key"
        description="How your code names it; it never changes"
        placeholder="api_calls"
        required
        {...form.field('featureKey')}
      />
      <Radio.Group
        label="Type"
        description="It never changes"
        value={form.values.type}
        error={form.field('type').error}
        onChange={(type) => form.set({ type: type as Values['type'] })}
      >
        <Radio mt={8} value="limit" label="Limit: up to a number of something" />
        <Radio mt={8} value="boolean" label="On or off: there, or not there" />
      </Radio.Group>
      <FeatureFields form={form} type={form.values.type} />
    </DrawerForm>
  )
}
