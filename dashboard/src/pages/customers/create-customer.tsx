// Creates a customer.
import { MultiSelect, Textarea, TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import { useApi } from '../../api/environment.ts'
import { useGet } from '../../api/queries.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { readMetadata } from '../../parts/metadata.ts'
import { useToast } from '../../parts/toast.tsx'

const empty = {
  customerId: '',
  name: '',
  email: '',
  customProductKeys: [] as string[],
  providerCustomerId: '',
  metadata: '',
}

export function CreateCustomer({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const api = useApi()
  const toast = useToast()
  const [, navigate] = useLocation()
  const form = useForm(empty)
  const products = useGet('/v1/products', { query: { type: 'custom', limit: 100 } }, { isEnabled: isOpen })
  const create = async ({
    customerId,
    name,
    email,
    customProductKeys,
    providerCustomerId,
    metadata,
  }: typeof empty) => {
    await api.post('/v1/customers', {
      body: {
        customerId,
        ...(name === '' ? {} : { name }),
        ...(email === '' ? {} : { email }),
        ...(customProductKeys.length === 0 ? {} : { customProductKeys }),
        ...(providerCustomerId === '' ? {} : { providerCustomerId }),
        metadata: readMetadata(metadata),
      },
    })
    form.reset()
    toast({ text: `Created ${name || customerId}` })
    navigate(`/customers/${encodeURIComponent(customerId)}`)
  }
  return (
    <DrawerForm
      title="Create customer"
      action="Create customer"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={create}
    >
      <TextInput
        label="Customer id"
        description="Your own id of the customer; it never changes"
        required
        data-autofocus
        {...form.field('customerId')}
      />
      <TextInput label="Name" {...form.field('name')} />
      <TextInput label="E-mail" type="email" {...form.field('email')} />
      <MultiSelect
        label="Products"
        description="Custom products that the customer holds from now on"
        data={(products.data?.products ?? [])
          .filter(({ isDefault }) => !isDefault)
          .map(({ key, name }) => ({ value: key, label: name }))}
        {...form.field('customProductKeys')}
      />
      <TextInput
        label="Customer at the payment provider"
        description="Takes over one that is already there, with its subscriptions"
        {...form.field('providerCustomerId')}
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
