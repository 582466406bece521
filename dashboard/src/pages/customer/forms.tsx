// Every form about a customer; the address says which one is open.
import { useMay } from '../../api/session.ts'
import { AssignProducts } from './assign-products.tsx'
import { EditBonus, GiveBonus } from './bonus-forms.tsx'
import { CheckoutLink } from './checkout-link.tsx'
import { DeleteBonus } from './delete-bonus.tsx'
import { DeleteCustomer } from './delete-customer.tsx'
import type { FormProps } from './doing.ts'
import { EditCustomer } from './edit-customer.tsx'
import { PortalLink } from './portal-link.tsx'
import { RecordUsage } from './record-usage.tsx'
import { SetUsage } from './set-usage.tsx'

/** Mounted when opened, so that each begins with what is true then. */
const forms = {
  'give-bonus': GiveBonus,
  'edit-bonus': EditBonus,
  'delete-bonus': DeleteBonus,
  'record-usage': RecordUsage,
  'set-usage': SetUsage,
  checkout: CheckoutLink,
  portal: PortalLink,
  products: AssignProducts,
  edit: EditCustomer,
  delete: DeleteCustomer,
}

export function Forms({ customer, doing }: FormProps) {
  const mayWrite = useMay()
  const Form = mayWrite && doing.do !== undefined ? forms[doing.do as keyof typeof forms] : undefined
  return Form === undefined ? null : (
    <Form key={`${doing.do} ${doing.bonusId}`} customer={customer} doing={doing} />
  )
}
