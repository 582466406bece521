// Deletes a usage event, after showing what that makes of the periods it lies in.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../api/environment.ts'
import type { ListedEvent } from '../../api/generated.ts'
import { useToast } from '../../parts/toast.tsx'
import { TouchedPeriods } from './touched-periods.tsx'
import classes from './usage.module.css'

const change = { delete: true } as const

export function DeleteEvent({ event, onClose }: { event: ListedEvent; onClose(): void }) {
  const api = useApi()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.delete('/v1/usage/{id}', { path: { id: event.id } }),
    onSuccess: () => {
      toast({ text: 'Deleted the event' })
      onClose()
    },
  })
  return (
    <div className={classes.form}>
      <p>
        The event is taken out of the ledger and cannot be brought back
        {event.eventKey === undefined
          ? '.'
          : '; its event key stays used, so that a late retry does not count it again.'}
      </p>
      <TouchedPeriods eventId={event.id} change={change} isDone={remove.isPending || remove.isSuccess} />
      {remove.error !== null && (
        <p className={classes.problem} role="alert">
          {remove.error.message}
        </p>
      )}
      <div className={classes.buttons}>
        <Button color="red.8" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete event
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Keep
        </Button>
      </div>
    </div>
  )
}
