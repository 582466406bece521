// Archives a feature, with a reason for whoever finds it later.
import { Textarea } from '@mantine/core'
import type { Feature } from '@tollkeeper/sdk/src/generated/api.ts'
import { useApi } from '../../api/environment.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { formatCount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'
import classes from './feature.module.css'
import { useImpact, writeProducts } from './impact.ts'

const empty = { reason: '' }

type Props = { feature: Feature; isOpen: boolean; onClose(): void }

export function ArchiveFeature({ feature: { featureKey, name }, isOpen, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const form = useForm(empty)
  const { data } = useImpact(featureKey, isOpen)
  const send = (body: { archived: boolean; reason?: string }) =>
    api.post('/v1/features/{featureKey}/archive', { path: { featureKey }, body })
  const archive = async ({ reason }: typeof empty) => {
    await send({ archived: true, ...(reason === '' ? {} : { reason }) })
    form.reset()
    toast({ text: `Archived ${name}`, undo: () => send({ archived: false }) })
  }
  return (
    <DrawerForm
      title={`Archive ${name}`}
      action="Archive feature"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={archive}
    >
      <p>
        Whoever has it keeps it, and usage goes on being counted. It cannot be added to a product any more,
        and is not shown to those who do not have it. It can be unarchived.
      </p>
      {data !== undefined && (
        <p className={classes.soft}>
          {data.products.length === 0
            ? 'No product gives it.'
            : `${formatCount(data.products.length, 'product')} with it: ${writeProducts(data)}.`}{' '}
          {formatCount(data.customersWithUsage, 'customer')} used it.
        </p>
      )}
      <Textarea
        label="Reason"
        description="For whoever finds it later"
        autosize
        minRows={2}
        data-autofocus
        {...form.field('reason')}
      />
    </DrawerForm>
  )
}
