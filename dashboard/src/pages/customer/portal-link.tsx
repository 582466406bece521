// Makes the link to the provider's page on which the customer manages what it pays.
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/environment.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import type { FormProps } from './doing.ts'
import { MadeLink } from './made-link.tsx'

type Values = { isPaymentMethod: boolean; returnUrl: string }

export function PortalLink({ customer, doing }: FormProps) {
  const { customerId } = customer
  const api = useApi()
  const [url, setUrl] = useState<string>()
  const form = useForm<Values>({ isPaymentMethod: false, returnUrl: '' })
  const make = async ({ isPaymentMethod, returnUrl }: Values) => {
    const answer = await api.post('/v1/customers/{customerId}/customer_portal', {
      path: { customerId },
      body: {
        ...(isPaymentMethod ? { flow: 'payment_method_update' as const } : {}),
        ...(returnUrl === '' ? {} : { returnUrl }),
      },
    })
    setUrl(answer.url)
  }
  return (
    <DrawerForm
      title="Portal link"
      action={url === undefined ? 'Make link' : 'Make another link'}
      isOpen
      onClose={doing.close}
      form={form}
      submit={make}
      staysOpen
    >
      <Checkbox
        label="Straight to changing the payment method"
        checked={form.values.isPaymentMethod}
        onChange={(event) => form.set({ isPaymentMethod: event.currentTarget.checked })}
      />
      <TextInput label="Back to" placeholder="https://…" {...form.field('returnUrl')} />
      {url !== undefined && <MadeLink url={url} text="It works for a short time, for this customer only." />}
    </DrawerForm>
  )
}
