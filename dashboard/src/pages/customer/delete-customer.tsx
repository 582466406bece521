// Deletes a customer, after naming what goes with it.
import { useLocation } from 'wouter'
import { useApi } from '../../api/environment.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatAmount, formatCount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'
import type { FormProps } from './doing.ts'
import { useFeatureNames } from './feature-names.ts'

export function DeleteCustomer({ customer, doing }: FormProps) {
  const { customerId, name, featureAccess, bonuses, products } = customer
  const api = useApi()
  const toast = useToast()
  const nameOf = useFeatureNames()
  const [, navigate] = useLocation()
  const used = Object.entries(featureAccess).flatMap(([key, { usage }]) =>
    usage !== undefined && usage.used > 0 ? [`${formatAmount(usage.used)} ${nameOf(key)}`] : [],
  )
  const subscriptions = products.filter(({ type }) => type === 'provider')
  const remove = async () => {
    await api.delete('/v1/customers/{customerId}', { path: { customerId } })
    toast({ text: `Deleted ${name ?? customerId}` })
    navigate('/customers')
  }
  return (
    <Confirm
      title={`Delete ${name ?? customerId}`}
      action="Delete customer"
      name={customerId}
      losses={[
        `All its usage is lost${used.length === 0 ? '' : `, in this period ${used.join(', ')}`}.`,
        ...(bonuses.length === 0
          ? []
          : [`${formatCount(bonuses.length, 'bonus', 'bonuses')} and assigned products are lost.`]),
        ...(subscriptions.length === 0
          ? []
          : [
              `${formatCount(subscriptions.length, 'subscription')} at the payment provider is left alone and goes on to be charged.`,
            ]),
        'This cannot be undone.',
      ]}
      isOpen
      onClose={doing.close}
      confirm={remove}
    />
  )
}
