// Why a customer has what it has of a feature: the sum written out line by line, each line a link to what made it.
import { Drawer, Skeleton } from '@mantine/core'
import type { AccessExplanation } from '@tollkeeper/sdk/src/generated/api.ts'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useGet } from '../api/queries.ts'
import { Badge } from './badge.tsx'
import { Failure } from './failure.tsx'
import { formatAmount, formatCount, formatTime } from './format.ts'
import { Id } from './id.tsx'
import { Time } from './time.tsx'
import classes from './why-drawer.module.css'

type Props = { customerId: string; featureKey: string | undefined; name: string; onClose(): void }

export function WhyDrawer({ customerId, featureKey, name, onClose }: Props) {
  const { data, error, refetch } = useGet(
    '/v1/feature-access/explain',
    { query: { customerId, featureKey: featureKey ?? '' } },
    { isEnabled: featureKey !== undefined, isLive: featureKey !== undefined },
  )
  return (
    <Drawer
      opened={featureKey !== undefined}
      onClose={onClose}
      title={`Why: ${name}`}
      size={480}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {data !== undefined && <Explanation explanation={data} />}
      {data === undefined && error !== null && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={280} />}
    </Drawer>
  )
}

function Explanation({ explanation }: { explanation: AccessExplanation }) {
  const { access, products, period, bonuses, arithmetic } = explanation
  return (
    <div className={classes.explanation}>
      <p className={classes.verdict}>{writeVerdict(explanation)}</p>
      <Part title="Products that give it">
        {products.map((product) => (
          <Line
            key={`${product.key} ${product.version}`}
            amount={writeLimit(product, access.type)}
            what={
              <>
                <Link href={`/products/${encodeURIComponent(product.key)}`}>{product.key}</Link>{' '}
                <span className={classes.soft}>version {product.version}</span>{' '}
                {product.isDefault && <Badge>default</Badge>} {product.isAddOn && <Badge>add-on</Badge>}
              </>
            }
            note={writeUnits(product)}
          />
        ))}
        {products.length === 0 && <Line what="None of the products held" amount="—" />}
      </Part>
      {bonuses.length > 0 && (
        <Part title="Bonuses">
          {bonuses.map((bonus) => (
            <Line
              key={bonus.bonusId}
              amount={`+ ${formatAmount(bonus.remainingAmount + bonus.drawnInPeriod)}`}
              what={<Id value={bonus.bonusId} text={`${bonus.bonusId.slice(0, 8)}…`} />}
              note={writeBonus(bonus)}
            />
          ))}
        </Part>
      )}
      {arithmetic !== undefined && <Sum {...arithmetic} />}
      {period !== undefined && <PeriodPart period={period} />}
    </div>
  )
}

function writeVerdict({ access, arithmetic }: AccessExplanation): string {
  if (!access.hasAccess) return 'No access: no product that the customer holds gives it.'
  if (access.type === 'boolean') return 'Included: a product that the customer holds gives it.'
  if (access.isUnlimited) return 'Unlimited: a product that the customer holds sets no limit.'
  if (arithmetic === undefined) return `Limit ${formatAmount(access.limit ?? 0)}; usage is not tracked.`
  if (arithmetic.overage > 0) return `Over the limit by ${formatAmount(arithmetic.overage)}.`
  return arithmetic.remaining > 0
    ? `${formatAmount(arithmetic.remaining)} can still be used.`
    : 'The limit is reached: nothing is left.'
}

function writeLimit(product: AccessExplanation['products'][number], type: 'boolean' | 'limit'): string {
  if (type === 'boolean') return 'access'
  return product.isUnlimited ? 'unlimited' : formatAmount(product.limit ?? 0)
}

function writeUnits({ status, quantity, limitsPerUnit }: AccessExplanation['products'][number]): string {
  return limitsPerUnit && quantity > 1 ? `${status}, limit for ${formatCount(quantity, 'unit')}` : status
}

const writeBonus = ({ amount, drawnInPeriod, expiresAt }: AccessExplanation['bonuses'][number]): string =>
  `${formatAmount(drawnInPeriod)} drawn in this period, given ${formatAmount(amount)}${
    expiresAt === undefined ? '' : `, expires ${formatTime(expiresAt)}`
  }`

function Sum(sum: NonNullable<AccessExplanation['arithmetic']>) {
  return (
    <Part title="The sum">
      <Line what="Limit of the plan" amount={formatAmount(sum.limit)} />
      <Line what="Used of the plan" amount={`− ${formatAmount(sum.planUsed)}`} />
      <Line what="Left of bonuses" amount={`+ ${formatAmount(sum.bonusRemaining)}`} />
      <Line what="Left" amount={formatAmount(sum.remaining)} isTotal />
      <Line
        what="Used in this period"
        amount={formatAmount(sum.used)}
        note={`${formatAmount(sum.planUsed)} of the plan, ${formatAmount(sum.bonusUsed)} of bonuses${
          sum.overage > 0 ? `, ${formatAmount(sum.overage)} over` : ''
        }`}
      />
    </Part>
  )
}

const anchors = {
  subscription: 'counted from the subscription’s billing date',
  usage_started_at: 'counted from when the customer’s usage started',
  calendar: 'counted by the calendar',
  none: 'never resets',
}

const cuts = {
  subscription_start: 'begins with the subscription',
  fall_back: 'begins where the customer fell back to the default product',
}

function PeriodPart({ period }: { period: NonNullable<AccessExplanation['period']> }) {
  const { interval, lastReset, nextReset, anchor, cutBy } = period
  return (
    <Part title="The period">
      <Line
        what={interval === 'never' ? 'No reset' : `Every ${interval}`}
        amount=""
        note={cutBy === undefined ? anchors[anchor.source] : `${anchors[anchor.source]}; ${cuts[cutBy]}`}
      />
      <Line what="Since" amount={<Time at={lastReset} />} />
      {nextReset !== undefined && <Line what="Next reset" amount={<Time at={nextReset} />} />}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={classes.title}>{title}</h3>
      {children}
    </section>
  )
}

type LineProps = { what: ReactNode; amount: ReactNode; note?: string; isTotal?: boolean }

function Line({ what, amount, note, isTotal = false }: LineProps) {
  return (
    <div className={`${classes.line} ${isTotal ? classes.total : ''}`}>
      <div className={classes.what}>
        <div>{what}</div>
        {note !== undefined && <div className={classes.note}>{note}</div>}
      </div>
      <div className={classes.amount}>{amount}</div>
    </div>
  )
}
