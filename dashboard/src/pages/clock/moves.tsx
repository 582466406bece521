// Ways to move the test clock: to what comes next, by a day, a week or a month, or to a time of one's choice.
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Ahead } from '../../api/generated.ts'
import { DateTimeInput, readDateTime } from '../../parts/date-time-input.tsx'
import { formatTime } from '../../parts/format.ts'
import classes from './clock.module.css'

type Props = {
  now: number | undefined
  next: Ahead | undefined
  isMoving: boolean
  onMove(at: number): void
}

const dayMs = 86_400_000

export function Moves({ now, next, isMoving, onMove }: Props) {
  const [text, setText] = useState('')
  const at = readDateTime(text)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (at !== undefined) onMove(at)
  }
  const move = (to: (now: number) => number) => () => now !== undefined && onMove(to(now))
  return (
    <div className={classes.moves}>
      <Button
        disabled={next === undefined}
        loading={isMoving}
        title={next === undefined ? 'Nothing lies ahead' : `${formatTime(next.at)}: ${next.text}`}
        onClick={() => next !== undefined && onMove(next.at)}
      >
        To next event
      </Button>
      <Button variant="default" disabled={isMoving} onClick={move((from) => from + dayMs)}>
        + 1 day
      </Button>
      <Button variant="default" disabled={isMoving} onClick={move((from) => from + 7 * dayMs)}>
        + 1 week
      </Button>
      <Button variant="default" disabled={isMoving} onClick={move(addMonth)}>
        + 1 month
      </Button>
      <form className={classes.set} onSubmit={send}>
        <DateTimeInput
          size="xs"
          aria-label="Time to set"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={at === undefined || isMoving}>
          Set time
        </Button>
      </form>
    </div>
  )
}

/** The same day of the next month, or its last. */
function addMonth(from: number): number {
  const date = new Date(from)
  const day = date.getDate()
  date.setMonth(date.getMonth() + 1)
  if (date.getDate() !== day) date.setDate(0)
  return date.getTime()
}
