// Deletes a bonus of which nothing is drawn; of another it can end what is left.
import type { Bonus } from '@tollkeeper/sdk/src/generated/api.ts'
import { useApi } from '../../api/environment.ts'
import { afterRender } from '../../parts/after-render.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatAmount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'

type Props = { bonus: Bonus; isOpen: boolean; onClose(): void; onDeleted(): void }

export function DeleteBonus({ bonus, isOpen, onClose, onDeleted }: Props) {
  const api = useApi()
  const toast = useToast()
  const { bonusId, customerId, featureKey, amount, remainingAmount } = bonus
  const drawn = amount - remainingAmount
  const path = { bonusId }
  const remove = async () => {
    if (drawn > 0) {
      await api.put('/v1/bonuses/{bonusId}', { path, body: { amount: drawn } })
      const undo = () => api.put('/v1/bonuses/{bonusId}', { path, body: { amount } })
      toast({ text: `Ended the bonus: ${formatAmount(drawn)} stay drawn`, undo })
    } else {
      const { counterRemaining } = await api.delete('/v1/bonuses/{bonusId}', { path })
      const left =
        counterRemaining === undefined ? '' : `: ${customerId} has ${formatAmount(counterRemaining)} left`
      toast({
        text: `Deleted the bonus${left}`,
        undo: () => api.post('/v1/bonuses', { body: toBody(bonus) }),
      })
    }
    onDeleted()
    await afterRender()
  }
  return (
    <Confirm
      title={drawn > 0 ? 'End this bonus' : 'Delete this bonus'}
      action={drawn > 0 ? 'End bonus' : 'Delete bonus'}
      name={customerId}
      losses={[
        `${customerId} loses ${formatAmount(remainingAmount)} of ${featureKey} that can still be used.`,
        ...(drawn > 0
          ? [
              `${formatAmount(drawn)} are drawn already, so it cannot be deleted: its amount becomes ${formatAmount(drawn)}.`,
            ]
          : ['Nothing of it was drawn.']),
      ]}
      isOpen={isOpen}
      onClose={onClose}
      confirm={remove}
    />
  )
}

/** The same again, under another id. */
const toBody = ({ customerId, featureKey, amount, expiresAt, reason, metadata }: Bonus) => ({
  customerId,
  featureKey,
  amount,
  metadata,
  ...(expiresAt === undefined ? {} : { expiresAt }),
  ...(reason === undefined ? {} : { reason }),
})
