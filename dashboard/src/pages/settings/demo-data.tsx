// Settings, demo data: a made-up company in the test environment, removed whole or made.
import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { environmentApis } from '../../api/client.ts'
import { EnvironmentContext } from '../../api/environment.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/failure.tsx'
import { formatCount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'
import classes from './settings.module.css'
import { SettingsFrame } from './settings-frame.tsx'

const api = environmentApis.test

export function DemoData() {
  return (
    <SettingsFrame title="Demo data">
      <EnvironmentContext value="test">
        <Demo />
      </EnvironmentContext>
    </SettingsFrame>
  )
}

function Demo() {
  const mayWrite = useMay()
  const demo = useQuery({
    queryKey: ['test', '/demo'],
    queryFn: () => api.get('/demo'),
    refetchInterval: 4000,
  })
  const toast = useToast()
  const [isRemoving, setRemoving] = useState(false)
  const make = useMutation({
    mutationFn: () => api.post('/demo'),
    onSuccess: ({ customers }) => toast({ text: `Making ${formatCount(customers, 'customer')}` }),
    onError: (error) => toast({ text: error.message, isError: true }),
  })
  const remove = async () => {
    const { removed, kept } = await api.delete('/demo')
    const left = kept.length === 0 ? '' : `; kept what is in use: ${kept.map(({ key }) => key).join(', ')}`
    toast({ text: `Removed ${formatCount(removed.customers, 'customer')} of the demo data${left}` })
  }
  if (demo.data === undefined) {
    return demo.error === null ? (
      <Skeleton height={72} />
    ) : (
      <Failure error={demo.error} retry={() => void demo.refetch()} />
    )
  }
  const { isPresent, isFinished, customers } = demo.data
  return (
    <div className={classes.made}>
      <p>
        {isPresent
          ? `The test environment has a made-up company in it: ${formatCount(customers, 'customer')} with ninety days of usage${isFinished ? '' : ', still being made'}.`
          : 'There is no demo data in the test environment. It can be made while the environment is empty: features, products and forty customers with ninety days of usage.'}
      </p>
      {mayWrite && (
        <div>
          {isPresent ? (
            <Button variant="default" c="red" onClick={() => setRemoving(true)}>
              Remove demo data
            </Button>
          ) : (
            <Button loading={make.isPending} onClick={() => make.mutate()}>
              Make demo data
            </Button>
          )}
        </div>
      )}
      <Confirm
        title="Remove the demo data?"
        action="Remove demo data"
        name="demo data"
        losses={[
          `${formatCount(customers, 'customer')} of the made-up company, with their usage, bonuses and subscriptions.`,
          'Its features and products, but for those that customers of yours use.',
          'What you made yourself stays.',
        ]}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        confirm={remove}
      />
    </div>
  )
}
