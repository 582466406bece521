// The time line: from now on three months, with what will happen as marks; pressing on it moves the clock there.
import { Skeleton } from '@mantine/core'
import { type MouseEvent, useState } from 'react'
import type { Ahead } from '../../api/generated.ts'
import { formatCount, formatShortDay, formatTime } from '../../parts/format.ts'
import classes from './clock.module.css'
import { kindOf, markKinds } from './mark-words.ts'

const dayMs = 86_400_000
const shownMs = 92 * dayMs
// Marks nearer to one another than this are one, with their number.
const groups = 92

type Props = {
  now: number | undefined
  marks: Ahead[] | undefined
  onMove: ((at: number) => void) | undefined
}

type Group = { at: number; kind: string; marks: Ahead[] }

export function TimeLine({ now, marks, onMove }: Props) {
  const [pointed, setPointed] = useState<number>()
  if (now === undefined || marks === undefined) return <Skeleton height={132} />
  const shown = groupMarks(marks, now)
  const kinds = Object.keys(markKinds).filter((kind) => marks.some((mark) => mark.kind === kind))
  const place = (at: number) => `${((at - now) / shownMs) * 100}%`
  const readTime = (event: MouseEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return now + Math.min(Math.max((event.clientX - left) / width, 0), 1) * shownMs
  }
  return (
    <div className={classes.line}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons below do the same with the keyboard */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons below do the same with the keyboard */}
      <div
        className={`${classes.track} ${onMove === undefined ? '' : classes.movable}`}
        onMouseMove={(event) => setPointed(readTime(event))}
        onMouseLeave={() => setPointed(undefined)}
        onClick={(event) => onMove?.(Math.round(readTime(event)))}
      >
        {findMonths(now).map((at) => (
          <span key={at} className={classes.month} style={{ left: place(at) }}>
            {formatShortDay(at)}
          </span>
        ))}
        {shown.map((group) => (
          <span
            key={`${group.kind} ${group.at}`}
            className={classes.mark}
            title={writeGroup(group)}
            style={{
              left: place(group.at),
              height: `${12 + Math.min(group.marks.length, 12) * 4}px`,
              background: kindOf(group.kind).colour,
            }}
          />
        ))}
        {pointed !== undefined && onMove !== undefined && (
          <span className={classes.pointer} style={{ left: place(pointed) }}>
            <span className={classes.pointed}>{formatTime(pointed)}</span>
          </span>
        )}
      </div>
      <ul className={classes.legend} aria-label="Kinds of what is ahead">
        {kinds.map((kind) => (
          <li key={kind}>
            <span className={classes.swatch} style={{ background: kindOf(kind).colour }} aria-hidden />
            {kindOf(kind).name} {formatCount(marks.filter((mark) => mark.kind === kind).length, 'time')}
          </li>
        ))}
        {kinds.length === 0 && <li>Nothing lies ahead within three months.</li>}
      </ul>
    </div>
  )
}

function groupMarks(marks: Ahead[], now: number): Group[] {
  const found = new Map<string, Group>()
  for (const mark of marks) {
    if (mark.at < now || mark.at > now + shownMs) continue
    const name = `${mark.kind} ${Math.floor(((mark.at - now) / shownMs) * groups)}`
    const group = found.get(name)
    if (group === undefined) found.set(name, { at: mark.at, kind: mark.kind, marks: [mark] })
    else group.marks.push(mark)
  }
  return [...found.values()]
}

const writeGroup = ({ at, kind, marks }: Group): string =>
  `${formatTime(at)}: ${kindOf(kind).name}${marks.length > 1 ? ` × ${marks.length}` : ''}, ${marks
    .slice(0, 3)
    .map(({ text }) => text)
    .join('; ')}${marks.length > 3 ? '; …' : ''}`

/** The first of each month. */
function findMonths(now: number): number[] {
  const start = new Date(now)
  return [1, 2, 3]
    .map((months) => new Date(start.getFullYear(), start.getMonth() + months, 1).getTime())
    .filter((at) => at - now < shownMs)
}
