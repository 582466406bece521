// What moving the test clock did: what it passed, and what the service changed since.

import type { Ahead } from '../../api/generated.ts'
import { useGet } from '../../api/queries.ts'
import { writeAction } from '../../parts/audit-words.ts'
import { Badge } from '../../parts/badge.tsx'
import { formatCount, formatTime } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import classes from './clock.module.css'
import { kindOf } from './mark-words.ts'

export type Move = {
  from: number
  to: number
  /** What lay between. */
  passed: Ahead[]
  /** Real time. */
  at: number
}

const most = 12

export function Changes({ move }: { move: Move }) {
  const { from, to, passed } = move
  const isForward = to > from
  const { data } = useGet(
    '/clock/changes',
    { query: { from: Math.min(from, to), to: Math.max(from, to) + 1 } },
    { isLive: true },
  )
  const written = (data?.entries ?? []).filter(({ action }) => action !== 'clock.set')
  return (
    <Section title="What changed" note={`${formatTime(from)} → ${formatTime(to)}`}>
      <ul className={classes.changes} aria-label="What changed">
        {passed.slice(0, most).map(({ at, kind, customerId, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines do not move
          <li key={index}>
            <span className={classes.at}>{formatTime(at)}</span>
            <Badge tone={kindOf(kind).tone}>{kindOf(kind).name}</Badge>
            <strong>{customerId}</strong> <span className={classes.soft}>{text}</span>
          </li>
        ))}
        {passed.length > most && (
          <li className={classes.soft}>and {formatCount(passed.length - most, 'more', 'more')}</li>
        )}
        {written.slice(0, most).map(({ entryNo, at, action, subject }) => (
          <li key={entryNo}>
            <span className={classes.at}>{formatTime(at)}</span>
            <Badge>{writeAction(action)}</Badge> <strong>{subject}</strong>
          </li>
        ))}
        {passed.length === 0 && written.length === 0 && (
          <li className={classes.soft}>
            {isForward ? 'Nothing lay between.' : 'The clock was set back: nothing happens again.'}
          </li>
        )}
      </ul>
    </Section>
  )
}
