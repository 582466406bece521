// What was refused today, by feature and reason.
import { Skeleton } from '@mantine/core'
import { Badge } from '../../parts/badge.tsx'
import { formatAmount } from '../../parts/format.ts'
import { Id } from '../../parts/id.tsx'
import type { Overview } from './attention.tsx'
import classes from './home.module.css'

const reasons: Record<string, string> = { limit_reached: 'limit reached', no_access: 'no access' }

export function Refusals({ refusals }: { refusals: Overview['refusals'] | undefined }) {
  return (
    <section aria-labelledby="refusals">
      <h2 id="refusals" className={classes.title}>
        Refused today
      </h2>
      {refusals === undefined && <Skeleton height={96} />}
      {refusals?.length === 0 && (
        <p className={classes.soft}>
          Nobody was refused. Checks and usage that a limit turned down are counted here.
        </p>
      )}
      {refusals?.map(({ featureKey, reason, count }) => (
        <div key={`${featureKey} ${reason}`} className={classes.refusal}>
          <Id value={featureKey} hasCopy={false} />
          <Badge tone={reason === 'no_access' ? 'neutral' : 'red'}>{reasons[reason] ?? reason}</Badge>
          <span className={classes.amount}>{formatAmount(count)}</span>
        </div>
      ))}
    </section>
  )
}
