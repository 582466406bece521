// Deletes a feature for ever, after saying what goes with it.
import type { Feature } from '@tollkeeper/sdk/src/generated/api.ts'
import { useLocation } from 'wouter'
import { useApi } from '../../api/environment.ts'
import { afterRender } from '../../parts/after-render.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatCount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'
import { useImpact, writeProducts, writeUsage } from './impact.ts'

type Props = { feature: Feature; isOpen: boolean; onClose(): void }

export function DeleteFeature({ feature: { featureKey, name }, isOpen, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const [, navigate] = useLocation()
  const { data, error } = useImpact(featureKey, isOpen)
  const remove = async () => {
    await api.delete('/v1/features/{featureKey}', { path: { featureKey } })
    toast({ text: `Deleted ${name}` })
    navigate('/features')
    await afterRender()
  }
  const losses =
    data === undefined
      ? [error?.message ?? 'Counting what goes with it …']
      : [
          data.products.length === 0
            ? 'No product has it.'
            : `It leaves ${formatCount(data.products.length, 'product')} in all versions: ${writeProducts(data)}.`,
          data.events === 0 ? writeUsage(data) : `Lost for ever: ${writeUsage(data)}.`,
          ...(data.openBonuses > 0
            ? [`Lost for ever: ${formatCount(data.openBonuses, 'open bonus', 'open bonuses')}.`]
            : []),
          'Code that asks for it is told that there is no such feature. Archiving cuts nobody off.',
        ]
  return (
    <Confirm
      title={`Delete ${name}`}
      action="Delete feature"
      name={featureKey}
      losses={losses}
      isOpen={isOpen}
      onClose={onClose}
      confirm={remove}
    />
  )
}
