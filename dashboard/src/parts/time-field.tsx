// A time to enter, in the viewer's zone, with the spans that are meant most often one press away.
import { Button } from '@mantine/core'
import { DateTimeInput, readDateTime, writeDateTime } from './date-time-input.tsx'
import { useNow } from './now.ts'
import classes from './time-field.module.css'

type Props = {
  label: string
  description?: string
  /** Unix ms; undefined for none. */
  value: number | undefined
  onChange(at: number | undefined): void
  error?: string
  /** false: the time lies in the past, and the spans ahead are left out. */
  isAhead?: boolean
}

const dayMs = 86_400_000
const spans = [7, 30, 90]

export function TimeField({ label, description, value, onChange, error, isAhead = true }: Props) {
  const now = useNow()
  return (
    <div>
      <DateTimeInput
        label={label}
        {...(description === undefined ? {} : { description })}
        value={writeDateTime(value)}
        {...(error === undefined ? {} : { error })}
        onChange={(event) => onChange(readDateTime(event.currentTarget.value))}
      />
      {isAhead && (
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
      )}
    </div>
  )
}
