// What a row of the customers says.
import type { AnswerOf, EnvironmentOperations } from '../../api/operations.ts'
import { Badge } from '../../parts/badge.tsx'
import { formatAmount, formatShare } from '../../parts/format.ts'
import { Sparkline } from '../../parts/sparkline.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './columns.module.css'

export type CustomerRow = AnswerOf<EnvironmentOperations['GET /customer-rows']>['customers'][number]

export const customerColumns: Column<CustomerRow>[] = [
  {
    title: 'Customer',
    cell: ({ customerId, name, email }) => (
      <span className={classes.who}>
        <span className={classes.name}>{name ?? email ?? customerId}</span>
        <code className={classes.id}>{customerId}</code>
      </span>
    ),
  },
  {
    title: 'Products',
    from: 700,
    cell: ({ products }) => (
      <span className={classes.products}>
        {products.map(({ key, name, status, isDefault }) => (
          <Badge key={key} tone={status === 'past_due' ? 'red' : isDefault ? 'neutral' : 'accent'}>
            {name}
            {status === 'past_due' ? ' · past due' : status === 'trialing' ? ' · trial' : ''}
          </Badge>
        ))}
      </span>
    ),
  },
  { title: 'Nearest limit', width: 240, cell: ({ hottest }) => <Hottest hottest={hottest} /> },
  {
    title: 'Events, 14 days',
    width: 190,
    from: 1000,
    align: 'right',
    cell: ({ perDay, eventsTotal14d }) => (
      <span className={classes.events}>
        <Sparkline values={perDay} width={72} height={20} />
        <span className={classes.count}>{formatAmount(eventsTotal14d)}</span>
      </span>
    ),
  },
  { title: 'Created', width: 150, from: 1000, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function Hottest({ hottest }: { hottest: CustomerRow['hottest'] }) {
  if (hottest === null || hottest.share === null || hottest.allowance === null) {
    return <span className={classes.none}>—</span>
  }
  const { featureKey, used, allowance, share } = hottest
  const state = share > 1 ? classes.over : share >= 0.8 ? classes.near : ''
  const words = `${featureKey}: ${formatAmount(used)} of ${formatAmount(allowance)}`
  return (
    <span className={classes.hottest} title={words}>
      <span className={classes.bar}>
        <span className={`${classes.fill} ${state}`} style={{ width: `${Math.min(share, 1) * 100}%` }} />
      </span>
      <span className={classes.share}>{formatShare(share)}</span>
      <code className={classes.id}>{featureKey}</code>
    </span>
  )
}
