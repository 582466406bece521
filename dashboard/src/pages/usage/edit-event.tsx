// Changes a usage event, and shows meanwhile what that makes of the periods it lies in.
import { Button, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useApi } from '../../api/environment.ts'
import type { ListedEvent } from '../../api/generated.ts'
import { DateTimeInput, readDateTime, writeDateTime } from '../../parts/date-time-input.tsx'
import { useForm } from '../../parts/form.ts'
import { readMetadata, writeMetadata } from '../../parts/metadata.ts'
import { useToast } from '../../parts/toast.tsx'
import { TouchedPeriods } from './touched-periods.tsx'
import classes from './usage.module.css'

const pauseMs = 250

export function EditEvent({ event, onClose }: { event: ListedEvent; onClose(): void }) {
  const api = useApi()
  const toast = useToast()
  const shownAt = writeDateTime(event.occurredAt)
  const form = useForm({
    amount: event.amount as number | string,
    occurredAt: shownAt,
    eventKey: event.eventKey ?? '',
    metadata: writeMetadata(event.metadata),
  })
  const { values } = form
  // The field has no seconds: one that was not touched keeps its own.
  const occurredAt = values.occurredAt === shownAt ? event.occurredAt : readDateTime(values.occurredAt)
  const amount = values.amount === '' ? undefined : Number(values.amount)
  const moved = {
    ...(amount === undefined || amount === event.amount ? {} : { amount }),
    ...(occurredAt === undefined || occurredAt === event.occurredAt ? {} : { occurredAt }),
  }
  const [previewed] = useDebouncedValue(JSON.stringify(moved), pauseMs)
  const path = { id: event.id }
  const save = useMutation({
    // What it was is kept from the beginning: when this is done, the page has read the event anew.
    mutationFn: async () => {
      const eventKey = values.eventKey === '' ? null : values.eventKey
      await api.put('/v1/usage/{id}', {
        path,
        body: {
          ...moved,
          ...(eventKey === (event.eventKey ?? null) ? {} : { eventKey }),
          metadata: readMetadata(values.metadata),
        },
      })
      return event
    },
    onSuccess: ({ amount: before, occurredAt: at, eventKey, metadata }) => {
      toast({
        text: 'Edited the event',
        undo: () =>
          api.put('/v1/usage/{id}', {
            path,
            body: { amount: before, occurredAt: at, eventKey: eventKey ?? null, metadata },
          }),
      })
      onClose()
    },
    onError: form.fail,
  })
  const send = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!save.isPending) save.mutate()
  }
  return (
    <form className={classes.form} onSubmit={send} noValidate>
      <NumberInput label="Amount" thousandSeparator data-autofocus {...form.field('amount')} />
      <DateTimeInput label="When" {...form.field('occurredAt')} />
      <TextInput label="Event key" description="Counted once for ever" {...form.field('eventKey')} />
      <Textarea
        label="Metadata"
        description="One line each: key: value"
        autosize
        minRows={2}
        {...form.field('metadata')}
      />
      {previewed !== '{}' && <TouchedPeriods eventId={event.id} change={JSON.parse(previewed)} />}
      {form.problem !== undefined && (
        <p className={classes.problem} role="alert">
          {form.problem}
        </p>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={save.isPending}>
          Save event
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
