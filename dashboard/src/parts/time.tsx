// A time: how long ago within a day, else the day and hour in the viewer's zone; exact and in UTC on hover.
import { formatRelative, formatUntil, formatUtc } from './format.ts'
import { useNow, useRealNow } from './now.ts'

type Props = {
  at: number
  /** Ahead: how long until then, however far. */
  isUntil?: boolean
  /** Of the clock on the wall, whatever the test clock says: requests, keys, people. */
  isReal?: boolean
}

export function Time({ at, isUntil = false, isReal = false }: Props) {
  const [ofEnvironment, real] = [useNow(), useRealNow()]
  const now = isReal ? real : ofEnvironment
  return (
    <time dateTime={new Date(at).toISOString()} title={formatUtc(at)}>
      {isUntil && at > now ? formatUntil(at, now) : formatRelative(at, now)}
    </time>
  )
}
