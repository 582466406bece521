// What a change of an event would make of every period that it touches: used and left, before and after.
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useApi, useEnvironment } from '../../api/environment.ts'
import { formatAmount, formatDay } from '../../parts/format.ts'
import classes from './usage.module.css'

type Change = { amount?: number; occurredAt?: number; delete?: true }

type Props = {
  eventId: string
  change: Change
  /** It is being made: there is nothing more to ask. */
  isDone?: boolean
}

export function TouchedPeriods({ eventId, change, isDone = false }: Props) {
  const [api, environment] = [useApi(), useEnvironment()]
  const { data, error } = useQuery({
    queryKey: [environment, 'preview', eventId, change],
    queryFn: () => api.post('/events/{eventId}/preview', { path: { eventId }, body: change }),
    enabled: !isDone,
    placeholderData: (before) => before,
  })
  if (error !== null) return <p className={classes.problem}>{error.message}</p>
  if (data === undefined) return <Skeleton height={64} />
  return (
    <div className={classes.periods}>
      <table className={classes.preview}>
        <caption className={classes.label}>Before and after, for every period touched</caption>
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col">Used</th>
            <th scope="col">Left</th>
          </tr>
        </thead>
        <tbody>
          {data.periods.map(({ featureKey, start, end, before, after }) => (
            <tr key={`${featureKey} ${start}`}>
              <th scope="row">{writePeriod(start, end)}</th>
              <td>
                <Moved before={before.used} after={after.used} />
              </td>
              <td>
                <Moved before={before.remaining} after={after.remaining} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

// Periods that never began or never end are as far away as numbers go.
const far = 8_000_000_000_000_000

function writePeriod(start: number, end: number): string {
  const ends = end > far / 1000 ? 'no end' : formatDay(end)
  return start <= 0 ? `until ${ends}` : `${formatDay(start)} – ${ends}`
}

function Moved({ before, after }: { before: number | undefined; after: number | undefined }) {
  if (before === undefined || after === undefined) return '—'
  if (before === after) return formatAmount(after)
  return (
    <>
      <s className={classes.was}>{formatAmount(before)}</s>{' '}
      <strong className={after < 0 ? classes.over : classes.becomes}>{formatAmount(after)}</strong>
    </>
  )
}
