// What was changed of a usage event, by whom, newest first.
import { Skeleton } from '@mantine/core'
import { useGet } from '../../api/queries.ts'
import { readActor, writeAction } from '../../parts/audit-words.ts'
import { Difference } from '../../parts/difference.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './usage.module.css'

export function EventHistory({ eventId }: { eventId: string }) {
  const { data, error, refetch } = useGet('/events/{eventId}/history', { path: { eventId } })
  return (
    <section>
      <h3 className={classes.label}>History</h3>
      {data === undefined && error === null && <Skeleton height={40} />}
      {data === undefined && error !== null && <Failure error={error} retry={() => void refetch()} />}
      {data?.entries.length === 0 && <p className={classes.soft}>Never changed since it was recorded.</p>}
      {data?.entries.map(({ entryNo, at, actor, action, before, after }) => (
        <div key={entryNo} className={classes.change}>
          <p className={classes.soft}>
            {writeAction(action)}, by {readActor(actor).name}, <Time at={at} isReal />
          </p>
          <Difference before={before} after={after} />
        </div>
      ))}
    </section>
  )
}
