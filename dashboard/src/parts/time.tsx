// A time: how long ago within a day, else the day and hour in the viewer's zone; exact and in UTC on hover.
import { formatRelative, formatUntil, formatUtc } from './format.ts'
import { useNow } from './now.ts'

export function Time({ at, isUntil = false }: { at: number; isUntil?: boolean }) {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={formatUtc(at)}>
      {isUntil && at > now ? formatUntil(at, now) : formatRelative(at, now)}
    </time>
  )
}
