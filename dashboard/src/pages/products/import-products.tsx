// Imports all products of the payment provider. A large catalogue goes on after its request; then it is watched until it is done.
import { Button, Modal, Progress } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/environment.ts'
import { useGet } from '../../api/queries.ts'
import { useProducts } from '../../api/whole-lists.ts'
import { formatAmount, formatCount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'
import classes from './products.module.css'

export function ImportProducts({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Import all from the payment provider"
      size={480}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Import onClose={onClose} />
    </Modal>
  )
}

function Import({ onClose }: { onClose(): void }) {
  const api = useApi()
  const toast = useToast()
  const [isWatched, setWatched] = useState(false)
  const products = useProducts({ isLive: isWatched }).data
  // What was there before: the rest is new.
  const [before, setBefore] = useState(new Set<string>())
  const importing = useMutation({
    mutationFn: () => {
      setBefore(new Set(products?.map(({ key }) => key)))
      return api.post('/v1/products/sync', {})
    },
    onSuccess: (answer) => {
      if ('pending' in answer) return setWatched(true)
      const added = answer.products.filter(({ key }) => !before.has(key)).length
      toast({
        text: `${formatCount(answer.products.length, 'product')} at the payment provider: ${formatAmount(added)} new, the others brought up to date`,
      })
      onClose()
    },
  })
  const provider = useGet('/provider', {}, { isEnabled: isWatched, isLive: isWatched })
  const isRunning = importing.isPending || (isWatched && (provider.data?.catalogueImport.isRunning ?? true))
  const added = products?.filter(({ key }) => !before.has(key)).length ?? 0
  return (
    <div className={classes.lines}>
      <p>
        Every active product of the payment provider comes in with its prices. Those that are linked already
        are brought up to date; nothing is taken away. The key of a new one is its metadata{' '}
        <code>product_key</code>, else made of its name.
      </p>
      {isRunning && <Progress value={100} animated aria-label="Importing" />}
      {isWatched && (
        <p role="status">
          {isRunning
            ? `It is a large catalogue: ${formatCount(added, 'new product')} so far. It goes on when you close this.`
            : `Done: ${formatCount(added, 'new product')}.`}
        </p>
      )}
      {importing.error !== null && (
        <p className={classes.problem} role="alert">
          {importing.error.message}
        </p>
      )}
      <div className={classes.buttons}>
        {!isWatched && (
          <Button loading={importing.isPending} onClick={() => importing.mutate()}>
            Import products
          </Button>
        )}
        <Button variant={isWatched ? 'default' : 'subtle'} color="gray" onClick={onClose}>
          {isWatched ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </div>
  )
}
