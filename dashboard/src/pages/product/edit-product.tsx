// Edits a product: of a custom one name, metadata and whether it is the default; of any whether it is an add-on; of the payment
// provider's whether limits are per unit.
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { useEffect } from 'react'
import { useApi } from '../../api/environment.ts'
import { useProducts } from '../../api/whole-lists.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { readMetadata, writeMetadata } from '../../parts/metadata.ts'
import { useToast } from '../../parts/toast.tsx'

type Props = { product: Product; isOpen: boolean; onClose(): void }

const toValues = ({ name, metadata, isDefault, isAddOn, limitsPerUnit = false }: Product) => ({
  name,
  metadata: writeMetadata(metadata),
  isDefault,
  isAddOn,
  limitsPerUnit,
})

type Values = ReturnType<typeof toValues>

export function EditProduct({ product, isOpen, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const form = useForm(toValues(product))
  const isCustom = product.type === 'custom'
  const others = useProducts().data?.find(({ isDefault, key }) => isDefault && key !== product.key)
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled in when it is opened, and left alone while it is
  useEffect(() => {
    if (isOpen) form.set(toValues(product))
  }, [isOpen])
  const edit = async (values: Values) => {
    await api.put('/v1/products/{productKey}', {
      path: { productKey: product.key },
      body: toBody(values, product),
    })
    toast({ text: `Saved ${values.name}` })
  }
  return (
    <DrawerForm
      title={`Edit ${product.name}`}
      action="Save product"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={edit}
    >
      <TextInput
        label="Name"
        required
        disabled={!isCustom}
        description={isCustom ? undefined : 'Comes from the payment provider and is changed there'}
        data-autofocus
        {...form.field('name')}
      />
      {isCustom && (
        <Checkbox
          label="Default product"
          description={
            others === undefined
              ? 'Held by everybody who holds no other plan'
              : `Held by everybody who holds no other plan, instead of ${others.name}`
          }
          checked={form.values.isDefault}
          error={form.field('isDefault').error}
          onChange={(event) => form.set({ isDefault: event.currentTarget.checked })}
        />
      )}
      <Checkbox
        label="Add-on"
        description="Adds to what a customer holds, and never displaces the default product"
        checked={form.values.isAddOn}
        error={form.field('isAddOn').error}
        onChange={(event) => form.set({ isAddOn: event.currentTarget.checked })}
      />
      {!isCustom && (
        <Checkbox
          label="Limits per unit"
          description="Limits are multiplied by the quantity bought: for seats"
          checked={form.values.limitsPerUnit}
          onChange={(event) => form.set({ limitsPerUnit: event.currentTarget.checked })}
        />
      )}
      {isCustom && (
        <Textarea
          label="Metadata"
          description="One line each: key: value"
          autosize
          minRows={2}
          {...form.field('metadata')}
        />
      )}
    </DrawerForm>
  )
}

/** What changed; what was not touched is not sent, so that nothing of others is overwritten. */
function toBody(values: Values, product: Product) {
  const before = toValues(product)
  const { name, metadata, isDefault, isAddOn, limitsPerUnit } = values
  return {
    ...(name === before.name ? {} : { name }),
    ...(metadata === before.metadata ? {} : { metadata: readMetadata(metadata) }),
    ...(isDefault === before.isDefault ? {} : { isDefault }),
    ...(isAddOn === before.isAddOn ? {} : { isAddOn }),
    ...(limitsPerUnit === before.limitsPerUnit ? {} : { limitsPerUnit }),
  }
}
