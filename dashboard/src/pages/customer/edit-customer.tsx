// Changes the plain facts of a customer.
import { Textarea, TextInput } from '@mantine/core'
import { useApi } from '../../api/environment.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { readMetadata, writeMetadata } from '../../parts/metadata.ts'
import { TimeField } from '../../parts/time-field.tsx'
import { useToast } from '../../parts/toast.tsx'
import type { FormProps } from './doing.ts'

type Values = {
  name: string
  email: string
  usageStartedAt: number | undefined
  providerCustomerId: string
  metadata: string
}

export function EditCustomer({ customer, doing }: FormProps) {
  const { customerId } = customer
  const api = useApi()
  const toast = useToast()
  const form = useForm<Values>({
    name: customer.name ?? '',
    email: customer.email ?? '',
    usageStartedAt: customer.usageStartedAt,
    providerCustomerId: '',
    metadata: writeMetadata(customer.metadata),
  })
  const change = async ({ name, email, usageStartedAt, providerCustomerId, metadata }: Values) => {
    const isMoved = usageStartedAt !== undefined && usageStartedAt !== customer.usageStartedAt
    await api.put('/v1/customers/{customerId}', {
      path: { customerId },
      body: {
        name: name === '' ? null : name,
        email: email === '' ? null : email,
        metadata: readMetadata(metadata),
        ...(isMoved ? { usageStartedAt } : {}),
        ...(providerCustomerId === '' ? {} : { providerCustomerId }),
      },
    })
    const undo = () =>
      api.put('/v1/customers/{customerId}', {
        path: { customerId },
        body: {
          name: customer.name ?? null,
          email: customer.email ?? null,
          metadata: customer.metadata,
          usageStartedAt: customer.usageStartedAt,
        },
      })
    // A customer of the provider that was taken over stays.
    toast({ text: 'Changed the customer', ...(providerCustomerId === '' ? { undo } : {}) })
  }
  return (
    <DrawerForm
      title="Edit customer"
      action="Save customer"
      isOpen
      onClose={doing.close}
      form={form}
      submit={change}
    >
      <TextInput label="Name" data-autofocus {...form.field('name')} />
      <TextInput label="E-mail" type="email" {...form.field('email')} />
      <TimeField
        label="Usage since"
        isAhead={false}
        description="Periods without a subscription are counted from here"
        {...form.field('usageStartedAt')}
      />
      {customer.providerCustomerId === undefined && (
        <TextInput
          label="Customer at the payment provider"
          description="Takes over one that is already there, with its subscriptions"
          {...form.field('providerCustomerId')}
        />
      )}
      <Textarea
        label="Metadata"
        description="One line each: key: value"
        autosize
        minRows={3}
        {...form.field('metadata')}
      />
    </DrawerForm>
  )
}
