// Assigns a custom product to a customer.
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { useApi } from '../../api/environment.ts'
import { CustomerField } from '../../parts/customer-field.tsx'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import { useToast } from '../../parts/toast.tsx'
import classes from './product.module.css'

const empty = { customerId: '' }

type Props = { product: Product; isOpen: boolean; onClose(): void }

export function AssignProduct({ product: { key, name, version, isAddOn }, isOpen, onClose }: Props) {
  const api = useApi()
  const toast = useToast()
  const form = useForm(empty)
  const change = (customerId: string, body: object) =>
    api.put('/v1/customers/{customerId}', { path: { customerId }, body })
  const assign = async ({ customerId }: typeof empty) => {
    await change(customerId, { addCustomProductKeys: [key] })
    form.reset()
    toast({
      text: `${customerId} holds ${name} now`,
      undo: () => change(customerId, { removeCustomProductKeys: [key] }),
    })
  }
  return (
    <DrawerForm
      title={`Assign ${name}`}
      action="Assign product"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={assign}
    >
      <CustomerField {...form.field('customerId')} />
      <p className={classes.soft}>
        The customer holds version {version} from now on, beside what is held already
        {isAddOn ? '.' : ', and falls back to the default product no more.'}
      </p>
    </DrawerForm>
  )
}
