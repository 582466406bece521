// Links a product of the payment provider under a key of ours.
import { Checkbox, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useApi } from '../../api/environment.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { useToast } from '../../parts/toast.tsx'

const empty = { providerProductId: '', productKey: '', isAddOn: false, limitsPerUnit: false }

type Props = { isOpen: boolean; providerProductId: string | undefined; onClose(): void }

export function LinkProduct({ isOpen, providerProductId, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const [, navigate] = useLocation()
  const form = useForm(empty)
  const { set } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled in once, when it is opened with an id
  useEffect(() => {
    if (isOpen && providerProductId !== undefined) set({ providerProductId })
  }, [isOpen, providerProductId])
  const link = async (values: typeof empty) => {
    const product = await api.post('/v1/products', { body: values })
    form.reset()
    toast({ text: `Linked ${product.name}` })
    navigate(`/products/${encodeURIComponent(product.key)}`)
  }
  return (
    <DrawerForm
      title="Link a product of the payment provider"
      action="Link product"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={link}
    >
      <TextInput
        label="Product at the payment provider"
        description="Its id there; name and prices come with it and are kept current"
        placeholder="prod_…"
        required
        data-autofocus
        {...form.field('providerProductId')}
      />
      <TextInput
        label="Product key"
        description="How your code names it; it never changes"
        placeholder="pro"
        required
        {...form.field('productKey')}
      />
      <Checkbox
        label="Add-on"
        description="Adds to what a customer holds, and never displaces the default product"
        checked={form.values.isAddOn}
        onChange={(event) => form.set({ isAddOn: event.currentTarget.checked })}
      />
      <Checkbox
        label="Limits per unit"
        description="Limits are multiplied by the quantity bought: for seats"
        checked={form.values.limitsPerUnit}
        onChange={(event) => form.set({ limitsPerUnit: event.currentTarget.checked })}
      />
    </DrawerForm>
  )
}
