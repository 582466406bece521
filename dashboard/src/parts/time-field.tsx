// A time to enter, in the viewer's zone, with the spans that are meant most often one press away.
import { Button, TextInput } from '@mantine/core'
import { useNow } from './now.ts'
import classes from './time-field.module.css'

type Props = {
  label: string
  description?: string
  /** Unix ms; undefined for none. */
  value: number | undefined
  onChange(at: number | undefined): void
  error?: string
}

const dayMs = 86_400_000
const spans = [7, 30, 90]
const pad = (part: number) => String(part).padStart(2, '0')

export function TimeField({ label, description, value, onChange, error }: Props) {
  const now = useNow()
  return (
    <div>
      <TextInput
        label={label}
        {...(description === undefined ? {} : { description })}
        type="datetime-local"
        value={value === undefined ? '' : toInput(value)}
        {...(error === undefined ? {} : { error })}
        onChange={(event) => onChange(fromInput(event.currentTarget.value))}
      />
      <div className={classes.spans}>
        {spans.map((days) => (
          <Button
            key={days}
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => onChange(Math.round(now / 60_000) * 60_000 + days * dayMs)}
          >
            in {days} days
          </Button>
        ))}
        {value !== undefined && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => onChange(undefined)}>
            never
          </Button>
        )}
      </div>
    </div>
  )
}

function toInput(at: number): string {
  const date = new Date(at)
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

function fromInput(text: string): number | undefined {
  const at = text === '' ? Number.NaN : new Date(text).getTime()
  return Number.isNaN(at) ? undefined : at
}
