// Playing the account's owner where the provider is simulated: products with prices, and a customer's subscriptions.
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../api/session.ts'
import { FilterBar, useFilters } from '../../parts/filters.tsx'
import { CustomerPill } from '../../parts/search-pill.tsx'
import { Section } from '../../parts/section.tsx'
import { MakeProduct } from './make-product.tsx'
import classes from './provider.module.css'
import { SimulatedSubscriptions } from './simulated-subscriptions.tsx'

export function SimulatedAccount() {
  const mayWrite = useMay()
  const { values, set } = useFilters(['customerId'] as const)
  const [isMaking, setMaking] = useState(false)
  return (
    <Section
      title="Simulated account"
      note="what happens at the provider, on demand"
      actions={
        mayWrite && (
          <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setMaking(true)}>
            Make product
          </Button>
        )
      }
    >
      <FilterBar>
        <CustomerPill value={values.customerId} onChange={(value) => set('customerId', value)} />
      </FilterBar>
      {values.customerId === undefined ? (
        <p className={classes.soft}>
          Choose a customer to renew or cancel its subscriptions, or to let its next payment fail.
        </p>
      ) : (
        <SimulatedSubscriptions key={values.customerId} customerId={values.customerId} />
      )}
      {isMaking && <MakeProduct onClose={() => setMaking(false)} />}
    </Section>
  )
}
