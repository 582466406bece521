// From when to when: a span before now, or two times of one's choice; in the address as range, or as from and to.
import { Button, CloseButton, Popover } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { DateTimeInput, readDateTime, writeDateTime } from './date-time-input.tsx'
import classes from './filters.module.css'
import { formatTime } from './format.ts'

const dayMs = 86_400_000

const ranges = [
  { value: '24h', label: 'Last 24 hours', ms: dayMs },
  { value: '7d', label: 'Last 7 days', ms: 7 * dayMs },
  { value: '30d', label: 'Last 30 days', ms: 30 * dayMs },
  { value: '90d', label: 'Last 90 days', ms: 90 * dayMs },
]

export type RangeValues = Partial<Record<'range' | 'from' | 'to', string>>

/** undefined where nothing is chosen; to is undefined where it goes on until now. */
export function readRange(values: RangeValues, now: number): { from?: number; to?: number } | undefined {
  const preset = ranges.find(({ value }) => value === values.range)
  if (preset !== undefined) return { from: now - preset.ms }
  const [from, to] = [readNumber(values.from), readNumber(values.to)]
  if (from === undefined && to === undefined) return undefined
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

const readNumber = (text: string | undefined): number | undefined => {
  const value = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}

type Props = {
  values: RangeValues
  onChange(values: Record<'range' | 'from' | 'to', string | undefined>): void
}

const none = { range: undefined, from: undefined, to: undefined }

export function RangePill({ values, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const chosen = writeRange(values)
  const change = (next: RangeValues) => {
    onChange({ ...none, ...next })
    setOpen(false)
  }
  return (
    <span className={`${classes.pill} ${chosen === undefined ? classes.unset : ''}`}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus shadow="md">
        <Popover.Target>
          <button type="button" className={classes.name} onClick={() => setOpen(!isOpen)}>
            {chosen === undefined && <IconPlus size={12} aria-hidden />}
            When
            {chosen !== undefined && <strong>{chosen}</strong>}
          </button>
        </Popover.Target>
        <Popover.Dropdown p={8}>
          <Choices values={values} onChange={change} />
        </Popover.Dropdown>
      </Popover>
      {chosen !== undefined && (
        <CloseButton size={18} iconSize={12} aria-label="Clear When" onClick={() => onChange(none)} />
      )}
    </span>
  )
}

function writeRange(values: RangeValues): string | undefined {
  const preset = ranges.find(({ value }) => value === values.range)
  if (preset !== undefined) return preset.label.toLowerCase()
  const [from, to] = [readNumber(values.from), readNumber(values.to)]
  if (from === undefined) return to === undefined ? undefined : `until ${formatTime(to)}`
  return to === undefined ? `since ${formatTime(from)}` : `${formatTime(from)} – ${formatTime(to)}`
}

function Choices({ values, onChange }: { values: RangeValues; onChange(values: RangeValues): void }) {
  const [from, setFrom] = useState(writeDateTime(readNumber(values.from)))
  const [to, setTo] = useState(writeDateTime(readNumber(values.to)))
  const write = (text: string) => readDateTime(text)?.toString()
  const [start, end] = [write(from), write(to)]
  return (
    <form
      className={classes.finder}
      onSubmit={(event) => {
        event.preventDefault()
        onChange({
          ...(start === undefined ? {} : { from: start }),
          ...(end === undefined ? {} : { to: end }),
        })
      }}
    >
      <ul className={classes.found}>
        {ranges.map(({ value, label }) => (
          <li key={value}>
            <button type="button" className={classes.choice} onClick={() => onChange({ range: value })}>
              {label}
            </button>
          </li>
        ))}
      </ul>
      <DateTimeInput
        size="xs"
        label="From"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <DateTimeInput size="xs" label="To" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
      <Button type="submit" variant="default" disabled={start === undefined && end === undefined}>
        Show
      </Button>
    </form>
  )
}
