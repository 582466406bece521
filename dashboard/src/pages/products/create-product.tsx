// Creates a custom product: one that is assigned to customers instead of bought.
import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import { useApi } from '../../api/environment.ts'
import { useProducts } from '../../api/whole-lists.ts'
import { toItem } from '../../parts/access-cell.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { readMetadata } from '../../parts/metadata.ts'
import { useToast } from '../../parts/toast.tsx'

const empty = {
  productKey: '',
  name: '',
  isDefault: false,
  copyOf: null as string | null,
  metadata: '',
}

export function CreateProduct({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const api = useApi()
  const toast = useToast()
  const [, navigate] = useLocation()
  const form = useForm(empty)
  const products = useProducts().data ?? []
  const hasDefault = products.find(({ isDefault }) => isDefault)
  const create = async ({ productKey, name, isDefault, copyOf, metadata }: typeof empty) => {
    const copied = products.find(({ key }) => key === copyOf)?.featureAccess
    await api.post('/v1/custom-products', {
      body: {
        productKey,
        name,
        isDefault,
        metadata: readMetadata(metadata),
        ...(copied === undefined ? {} : { featureAccess: copied.map(toItem) }),
      },
    })
    form.reset()
    toast({ text: `Created ${name}` })
    navigate(`/products/${encodeURIComponent(productKey)}`)
  }
  return (
    <DrawerForm
      title="Create custom product"
      action="Create product"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={create}
    >
      <TextInput label="Name" placeholder="Enterprise" required data-autofocus {...form.field('name')} />
      <TextInput
        label="Product key"
        description="How your code names it; it never changes"
        placeholder="enterprise"
        required
        {...form.field('productKey')}
      />
      <Select
        label="Begin with the features of"
        description="They are copied, and can be edited on the next page"
        placeholder="Nothing"
        clearable
        data={products.map(({ key, name }) => ({ value: key, label: name }))}
        {...form.field('copyOf')}
      />
      <Checkbox
        label="Default product"
        description={
          hasDefault === undefined
            ? 'Held by everybody who holds no other plan'
            : `Held by everybody who holds no other plan, instead of ${hasDefault.name}`
        }
        checked={form.values.isDefault}
        onChange={(event) => form.set({ isDefault: event.currentTarget.checked })}
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
