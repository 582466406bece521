// How near customers are to their limits: as figures, as a histogram, and who is nearest.
import { useGet } from '../../api/queries.ts'
import { type Bar, BarList } from '../../parts/bar-list.tsx'
import { type Bin, Histogram } from '../../parts/chart.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Figure, Figures } from '../../parts/figure.tsx'
import { formatAmount, formatShare } from '../../parts/format.ts'
import { useNow } from '../../parts/now.ts'
import { Time } from '../../parts/time.tsx'
import classes from './feature.module.css'

const nearShare = 0.8

export function Nearness({ featureKey }: { featureKey: string }) {
  const now = useNow()
  const { data, error, refetch } = useGet(
    '/features/{featureKey}/statistics',
    { path: { featureKey } },
    { isLive: true },
  )
  if (data === undefined && error !== null) return <Failure error={error} retry={() => void refetch()} />
  const customers = data?.customers
  const where = `/customers?featureKey=${encodeURIComponent(featureKey)}`
  return (
    <>
      <Figures>
        <Figure label="Customers who use it" value={customers?.used} span="in their current period" />
        <Figure label="At or over the limit" value={customers?.atLimit} href={`${where}&status=over`} />
        <Figure label="Near it" value={customers?.near} span="80 % or more" href={`${where}&status=near`} />
        <Figure label="Unlimited" value={customers?.unlimited} />
      </Figures>
      <div className={classes.columns}>
        <section aria-labelledby="top">
          <h2 id="top" className={classes.title}>
            Top customers <span className={classes.soft}>in their current period</span>
          </h2>
          {data?.topCustomers.length === 0 ? (
            <p className={classes.soft}>Nobody has used it in the current period.</p>
          ) : (
            <BarList label="Top customers" bars={data?.topCustomers.map(toBar)} expectedBars={8} />
          )}
        </section>
        <section aria-labelledby="near">
          <h2 id="near" className={classes.title}>
            How near to the limit{' '}
            <span className={classes.soft}>customers by percent of their allowance</span>
          </h2>
          {data?.histogram.every(({ count }) => count === 0) ? (
            <p className={classes.soft}>Nobody has a limit on it.</p>
          ) : (
            <Histogram
              label="Customers by share of their allowance"
              bins={data?.histogram}
              writeBin={writeBin}
              height={240}
            />
          )}
          {data !== undefined && (
            <p className={classes.soft}>
              Counted <Time at={Math.min(data.asOf, now)} />
            </p>
          )}
        </section>
      </div>
    </>
  )
}

type TopCustomer = {
  customerId: string
  name?: string | undefined
  used: number
  allowance: number | null
  share: number | null
}

const toBar = ({ customerId, name, used, allowance, share }: TopCustomer): Bar => ({
  key: customerId,
  name: name ?? customerId,
  value: used,
  href: `/customers/${encodeURIComponent(customerId)}`,
  note:
    allowance === null || share === null
      ? '· unlimited'
      : `of ${formatAmount(allowance)} · ${formatShare(share)}`,
  tone: share === null || share < nearShare ? 'accent' : share < 1 ? 'amber' : 'red',
})

const writeBin = ({ from, to }: Bin): string =>
  to === null ? 'full' : `${Math.round(from * 100)}–${Math.round(to * 100)}`
