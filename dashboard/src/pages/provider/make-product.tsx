// Makes a product with a price at the simulated provider and takes it over into the catalogue.
import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import { useApi } from '../../api/environment.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { useToast } from '../../parts/toast.tsx'
import classes from './provider.module.css'

type Interval = 'day' | 'week' | 'month' | 'year'

const empty = {
  name: '',
  amount: 29 as number | string,
  currency: 'usd',
  interval: 'month',
  trialDays: 0 as number | string,
  hasYearly: false,
  yearly: 290 as number | string,
}

const currencies = ['usd', 'eur', 'gbp', 'jpy'].map((value) => ({ value, label: value.toUpperCase() }))

const intervals = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'year', label: 'Year' },
]

/** In the currency's smallest unit, which of a yen is the yen itself. */
function toUnits(amount: number | string, currency: string): number {
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return Math.round(Number(amount) * 10 ** (digits.maximumFractionDigits ?? 2))
}

export function MakeProduct({ onClose }: { onClose(): void }) {
  const api = useApi()
  const toast = useToast()
  const form = useForm(empty)
  const make = async (values: typeof empty) => {
    const { name, currency } = values
    const trialDays = Number(values.trialDays)
    const trial = trialDays > 0 ? { trialDays } : {}
    const interval = values.interval as Interval
    const price = { unitAmount: toUnits(values.amount, currency), currency, interval, ...trial }
    const yearly = {
      unitAmount: toUnits(values.yearly, currency),
      currency,
      interval: 'year' as const,
      ...trial,
    }
    const prices = values.hasYearly && interval !== 'year' ? [price, yearly] : [price]
    await api.post('/simulator/products', { body: { name, prices } })
    await api.post('/v1/products/sync')
    toast({ text: `Made ${name} at the provider and imported it` })
  }
  return (
    <DrawerForm
      title="Make product at the provider"
      action="Make and import"
      isOpen
      onClose={onClose}
      form={form}
      submit={make}
    >
      <TextInput label="Name" required data-autofocus {...form.field('name')} />
      <div className={classes.pair}>
        <NumberInput label="Price" min={0} decimalScale={2} thousandSeparator {...form.field('amount')} />
        <Select label="Currency" data={currencies} allowDeselect={false} {...form.field('currency')} />
      </div>
      <Select label="Every" data={intervals} allowDeselect={false} {...form.field('interval')} />
      <Checkbox
        label="Also a price by the year"
        checked={form.values.hasYearly}
        disabled={form.values.interval === 'year'}
        onChange={(event) => form.set({ hasYearly: event.currentTarget.checked })}
      />
      {form.values.hasYearly && form.values.interval !== 'year' && (
        <NumberInput
          label="Price per year"
          min={0}
          decimalScale={2}
          thousandSeparator
          {...form.field('yearly')}
        />
      )}
      <NumberInput label="Days of trial" min={0} {...form.field('trialDays')} />
    </DrawerForm>
  )
}
