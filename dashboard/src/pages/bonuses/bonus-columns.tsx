// What a row of the bonuses says.
import type { Bonus } from '@tollkeeper/sdk/src/generated/api.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { formatAmount } from '../../parts/format.ts'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './bonuses.module.css'

export type BonusRow = Bonus & { customerName?: string | undefined }

/** As the list of the service has it: open ones that expire within a fortnight. */
const soonMs = 14 * 86_400_000

export function findState(bonus: Bonus, now: number): { word: string; tone: Tone } {
  const { remainingAmount, expiresAt } = bonus
  if (remainingAmount <= 0) return { word: 'used up', tone: 'neutral' }
  if (expiresAt !== undefined && expiresAt <= now) return { word: 'expired', tone: 'neutral' }
  if (expiresAt !== undefined && expiresAt - now < soonMs) return { word: 'expiring', tone: 'amber' }
  return { word: 'open', tone: 'violet' }
}

export const writeBonusColumns = (now: number, features: Map<string, string>): Column<BonusRow>[] => [
  {
    title: 'Customer',
    cell: ({ customerId, customerName }) => (
      <span className={classes.who}>
        <span className={classes.name}>{customerName ?? customerId}</span>
        {customerName !== undefined && <code className={classes.key}>{customerId}</code>}
      </span>
    ),
  },
  { title: 'Feature', from: 700, cell: ({ featureKey }) => features.get(featureKey) ?? featureKey },
  {
    title: 'Left',
    width: 230,
    cell: ({ amount, remainingAmount }) => (
      <span className={classes.left}>
        <span className={classes.bar} aria-hidden>
          <span
            className={classes.fill}
            style={{ width: `${amount > 0 ? (remainingAmount / amount) * 100 : 0}%` }}
          />
        </span>
        {formatAmount(remainingAmount)} of {formatAmount(amount)}
      </span>
    ),
  },
  {
    title: 'State',
    width: 120,
    cell: (bonus) => {
      const { word, tone } = findState(bonus, now)
      return <Badge tone={tone}>{word}</Badge>
    },
  },
  {
    title: 'Expires',
    width: 150,
    from: 1000,
    cell: ({ expiresAt }) =>
      expiresAt === undefined ? <span className={classes.soft}>never</span> : <Time at={expiresAt} />,
  },
  {
    title: 'Reason',
    from: 1000,
    cell: ({ reason }) => <span className={classes.reason}>{reason ?? ''}</span>,
  },
  { title: 'Given', width: 150, from: 1000, cell: ({ createdAt }) => <Time at={createdAt} /> },
]
