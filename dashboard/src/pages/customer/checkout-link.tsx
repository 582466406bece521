// Makes the link to the provider's page on which the customer buys a product, or confirms moving to it.
import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/environment.ts'
import { useGet } from '../../api/queries.ts'
import { toCurl } from '../../parts/calls.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { Empty } from '../../parts/empty.tsx'
import { useForm } from '../../parts/form.ts'
import { writePrice } from '../../parts/price.ts'
import type { FormProps } from './doing.ts'
import { MadeLink } from './made-link.tsx'

type Values = {
  productKey: string | null
  providerPriceId: string | null
  quantity: number | string
  additional: boolean
  successUrl: string
  cancelUrl: string
}

export function CheckoutLink({ customer, doing }: FormProps) {
  const { customerId } = customer
  const api = useApi()
  const { data } = useGet('/v1/products', { query: { type: 'provider', limit: 100 } })
  const [made, setMade] = useState<{ url: string; flow: 'checkout' | 'change' }>()
  const form = useForm<Values>({
    productKey: doing.productKey ?? null,
    providerPriceId: null,
    quantity: 1,
    additional: false,
    successUrl: '',
    cancelUrl: '',
  })
  const products = data?.products ?? []
  const productKey = form.values.productKey ?? products[0]?.key ?? null
  const prices =
    products.find(({ key }) => key === productKey)?.prices.filter(({ isActive }) => isActive) ?? []
  const make = async ({ providerPriceId, quantity, additional, successUrl, cancelUrl }: Values) => {
    const answer = await api.post('/v1/customers/{customerId}/checkout', {
      path: { customerId },
      body: {
        productKey: productKey ?? '',
        ...(providerPriceId === null ? {} : { providerPriceId }),
        ...(Number(quantity) === 1 ? {} : { quantity: Number(quantity) }),
        ...(additional ? { additional: true } : {}),
        ...(successUrl === '' ? {} : { successUrl }),
        ...(cancelUrl === '' ? {} : { cancelUrl }),
      },
    })
    setMade(answer)
  }
  return (
    <DrawerForm
      title="Checkout link"
      action={made === undefined ? 'Make link' : 'Make another link'}
      isOpen
      onClose={doing.close}
      form={form}
      submit={make}
      staysOpen
      isDisabled={products.length === 0}
    >
      {data !== undefined && products.length === 0 && <NothingToSell />}
      <Select
        label="Product"
        data={products.map(({ key, name }) => ({ value: key, label: name }))}
        allowDeselect={false}
        {...form.field('productKey')}
        value={productKey}
      />
      {prices.length > 1 && (
        <Select
          label="Price"
          placeholder="The default one"
          data={prices.map((price) => ({
            value: price.providerPriceId,
            label: `${writePrice(price)}${price.isDefault ? ' (default)' : ''}`,
          }))}
          clearable
          {...form.field('providerPriceId')}
        />
      )}
      <NumberInput label="Quantity" min={1} {...form.field('quantity')} />
      <Checkbox
        label="Beside the subscriptions that there are"
        description="Otherwise a main product is changed to this one"
        checked={form.values.additional}
        onChange={(event) => form.set({ additional: event.currentTarget.checked })}
      />
      <TextInput label="Afterwards to" placeholder="https://…" {...form.field('successUrl')} />
      <TextInput label="When left without buying to" placeholder="https://…" {...form.field('cancelUrl')} />
      {made !== undefined && (
        <MadeLink
          url={made.url}
          text={
            made.flow === 'change'
              ? 'The customer subscribes already: this page confirms the change.'
              : 'Whoever opens it buys for this customer.'
          }
        />
      )}
    </DrawerForm>
  )
}

function NothingToSell() {
  return (
    <Empty
      text="Products of the payment provider can be bought here once they are imported."
      call={toCurl({ method: 'POST', path: '/v1/products/sync' })}
    />
  )
}
