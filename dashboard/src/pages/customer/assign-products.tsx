// Assigns custom products and takes them away; what is bought is bought and ended at the provider.
import { MultiSelect } from '@mantine/core'
import { useApi } from '../../api/environment.ts'
import { useGet } from '../../api/queries.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { useToast } from '../../parts/toast.tsx'
import classes from './customer.module.css'
import type { FormProps } from './doing.ts'
import { SmallButton } from './small-button.tsx'

type Values = { customProductKeys: string[] }

export function AssignProducts({ customer, doing }: FormProps) {
  const { customerId } = customer
  const api = useApi()
  const toast = useToast()
  const { data } = useGet('/v1/products', { query: { type: 'custom', limit: 100 } })
  const held = customer.products.filter(({ type, isDefault }) => type === 'custom' && !isDefault)
  const before = held.map(({ key }) => key)
  const form = useForm<Values>({ customProductKeys: before })
  const options = new Map(held.map(({ key, name }) => [key, name]))
  for (const { key, name, isDefault } of data?.products ?? []) if (!isDefault) options.set(key, name)
  const write = (from: string[], to: string[]) =>
    api.put('/v1/customers/{customerId}', {
      path: { customerId },
      body: {
        addCustomProductKeys: to.filter((key) => !from.includes(key)),
        removeCustomProductKeys: from.filter((key) => !to.includes(key)),
      },
    })
  const assign = async ({ customProductKeys: after }: Values) => {
    await write(before, after)
    toast({ text: 'Changed the products', undo: () => write(after, before) })
  }
  return (
    <DrawerForm
      title="Assign products"
      action="Save products"
      isOpen
      onClose={doing.close}
      form={form}
      submit={assign}
    >
      <MultiSelect
        label="Custom products"
        description="Held from now on; those taken out are lost at once"
        data={[...options].map(([value, label]) => ({ value, label }))}
        searchable
        {...form.field('customProductKeys')}
      />
      <p className={classes.soft}>
        Whoever holds no other main product holds the default one. Products of the payment provider are
        bought: <SmallButton onClick={() => doing.open('checkout')}>make a checkout link</SmallButton>
      </p>
    </DrawerForm>
  )
}
