// Gives a customer a bonus, after showing what the customer has and will have.
import { NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useApi } from '../../api/environment.ts'
import { useGet } from '../../api/queries.ts'
import { useFeatures } from '../../api/whole-lists.ts'
import { CustomerField } from '../../parts/customer-field.tsx'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { formatAmount } from '../../parts/format.ts'
import { readMetadata } from '../../parts/metadata.ts'
import { TimeField } from '../../parts/time-field.tsx'
import { useToast } from '../../parts/toast.tsx'
import classes from './bonuses.module.css'

const empty = {
  customerId: '',
  featureKey: null as string | null,
  amount: '' as number | string,
  expiresAt: undefined as number | undefined,
  reason: '',
  metadata: '',
}

type Values = typeof empty

type Props = {
  isOpen: boolean
  customerId: string | undefined
  featureKey: string | undefined
  onClose(): void
}

export function GiveBonus({ isOpen, customerId, featureKey, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const form = useForm(empty)
  const features = useFeatures().data?.filter(({ tracksUsage }) => tracksUsage) ?? []
  // One for each time it is opened: pressing twice gives one bonus.
  const idempotencyKey = useRef('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: filled in when it is opened, and left alone while it is
  useEffect(() => {
    if (!isOpen) return
    idempotencyKey.current = makeKey()
    form.set({ customerId: customerId ?? '', featureKey: featureKey ?? null })
  }, [isOpen])
  const give = async (values: Values) => {
    const { bonus, counterRemaining } = await api.post('/v1/bonuses', {
      header: { 'Idempotency-Key': idempotencyKey.current },
      body: toBody(values),
    })
    form.reset()
    toast({
      text: `Gave ${bonus.customerId} ${formatAmount(bonus.amount)} of ${bonus.featureKey}${
        counterRemaining === undefined ? '' : `: ${formatAmount(counterRemaining)} left now`
      }`,
      undo: () => api.delete('/v1/bonuses/{bonusId}', { path: { bonusId: bonus.bonusId } }),
    })
  }
  return (
    <DrawerForm
      title="Give bonus"
      action="Give bonus"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={give}
    >
      <CustomerField {...form.field('customerId')} />
      <Select
        label="Feature"
        placeholder="Features whose usage is counted"
        required
        data={features.map((feature) => ({ value: feature.featureKey, label: feature.name }))}
        {...form.field('featureKey')}
      />
      <NumberInput
        label="Amount"
        required
        hideControls
        allowNegative={false}
        thousandSeparator=","
        {...form.field('amount')}
      />
      <Effect values={form.values} />
      <TimeField
        label="Expires"
        description="What is not drawn by then is gone"
        {...form.field('expiresAt')}
        onChange={(expiresAt) => form.set({ expiresAt })}
      />
      <TextInput label="Reason" placeholder="Sorry for the outage" {...form.field('reason')} />
      <Textarea
        label="Metadata"
        description="One line each: key: value"
        autosize
        minRows={1}
        {...form.field('metadata')}
      />
    </DrawerForm>
  )
}

const makeKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function toBody({ customerId, featureKey, amount, expiresAt, reason, metadata }: Values) {
  return {
    customerId,
    featureKey: featureKey ?? '',
    // What was left empty is sent as it is: the service says what it needs.
    amount: (amount === '' ? undefined : Number(amount)) as number,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(reason === '' ? {} : { reason }),
    ...(metadata === '' ? {} : { metadata: readMetadata(metadata) }),
  }
}

/** What the customer has left, before and after. */
function Effect({ values: { customerId, featureKey, amount } }: { values: Values }) {
  const [asked] = useDebouncedValue(customerId, 300)
  const { data } = useGet(
    '/v1/feature-access',
    { query: { customerId: asked, featureKey: featureKey ?? '' } },
    { isEnabled: asked !== '' && featureKey !== null },
  )
  const access = featureKey === null || asked !== customerId ? undefined : data?.[featureKey]
  if (access === undefined) return null
  return (
    <p className={classes.effect} role="status">
      {writeEffect(access, Number(amount))}
    </p>
  )
}

type Access = { hasAccess: boolean; isUnlimited?: boolean; usage?: { remaining?: number } }

function writeEffect({ hasAccess, isUnlimited, usage }: Access, amount: number): string {
  if (isUnlimited) return 'The customer’s plan is unlimited: the bonus waits until it has a limit.'
  if (!hasAccess) return 'No product that the customer holds gives this: the bonus waits until one does.'
  const left = `${formatAmount(usage?.remaining ?? 0)} left now`
  if (!(amount > 0)) return left
  return `${left}, ${formatAmount((usage?.remaining ?? 0) + amount)} with this bonus, less what is already over the limit`
}
