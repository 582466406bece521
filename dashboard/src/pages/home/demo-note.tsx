// Says that the test environment holds demo data, with the way to remove it; and offers it where there is nothing yet.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatCount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'
import classes from './home.module.css'

export function DemoNote({ hasCustomer }: { hasCustomer: boolean }) {
  const isTest = useEnvironment() === 'test'
  const mayWrite = useMay()
  const { data } = useGet('/demo', {}, { isEnabled: isTest })
  if (!isTest || !mayWrite || data === undefined) return null
  if (data.isPresent) return <Present customers={data.customers} />
  return hasCustomer ? null : <Offer />
}

function Present({ customers }: { customers: number }) {
  const [isAsking, setAsking] = useState(false)
  const toast = useToast()
  const remove = useChange((api, _: undefined) => api.delete('/demo'))
  const confirm = async () => {
    const { removed, kept } = await remove.mutateAsync(undefined)
    const rest =
      kept.length === 0 ? '' : `; ${kept.map(({ key }) => key).join(', ')} stay, somebody uses them`
    toast({ text: `Removed ${formatCount(removed.customers, 'demo customer')}${rest}` })
  }
  return (
    <p className={classes.demo}>
      <span>
        This environment holds demo data: a company that does not exist, with{' '}
        {formatCount(customers, 'customer')}.
      </span>
      <Button variant="default" flex="none" onClick={() => setAsking(true)}>
        Remove demo data
      </Button>
      <Confirm
        title="Remove demo data"
        action="Remove demo data"
        name="demo"
        losses={[
          `${formatCount(customers, 'demo customer')} with usage, bonuses and subscriptions are lost.`,
          'Demo products and features that nobody else uses are lost. What you made stays.',
        ]}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        confirm={confirm}
      />
    </p>
  )
}

function Offer() {
  const toast = useToast()
  const make = useChange((api, _: undefined) => api.post('/demo'))
  const fill = () =>
    make.mutate(undefined, {
      onSuccess: ({ customers }) => toast({ text: `Making ${formatCount(customers, 'demo customer')}` }),
      onError: (error) => toast({ text: error.message, isError: true }),
    })
  return (
    <p className={classes.demo}>
      <span>To look around first, fill this environment with demo data; it can be removed again.</span>
      <Button variant="default" flex="none" loading={make.isPending} onClick={fill}>
        Make demo data
      </Button>
    </p>
  )
}
