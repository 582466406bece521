// Takes a bonus back of which nothing is drawn; it can be given again.
import { useApi } from '../../api/environment.ts'
import { useGet } from '../../api/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatAmount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'
import type { FormProps } from './doing.ts'
import { useFeatureNames } from './feature-names.ts'

export function DeleteBonus({ customer, doing }: FormProps) {
  const { customerId } = customer
  const api = useApi()
  const toast = useToast()
  const nameOf = useFeatureNames()
  const bonuses = useGet('/v1/bonuses', { query: { customerId } }).data?.bonuses
  const bonus = bonuses?.find(({ bonusId }) => bonusId === doing.bonusId)
  if (bonus === undefined) return null
  const { bonusId, featureKey, amount, remainingAmount, expiresAt, reason, metadata } = bonus
  const remove = async () => {
    await api.delete('/v1/bonuses/{bonusId}', { path: { bonusId } })
    const body = {
      customerId,
      featureKey,
      amount,
      metadata,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(reason === undefined ? {} : { reason }),
    }
    toast({ text: 'Deleted the bonus', undo: () => api.post('/v1/bonuses', { body }) })
  }
  return (
    <Confirm
      title="Delete bonus"
      action="Delete bonus"
      name={customerId}
      losses={[
        `${customer.name ?? customerId} loses ${formatAmount(remainingAmount)} ${nameOf(featureKey)} that are left of it.`,
      ]}
      isOpen
      onClose={doing.close}
      confirm={remove}
    />
  )
}
