// A customer: what it has of every feature and why, what it holds and pays, its bonuses, and everything that happened.
import type { Customer as ApiCustomer } from '@tollkeeper/sdk/src/generated/api.ts'
import { useGet } from '../../api/queries.ts'
import type { PageProps } from '../../pages.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Bonuses } from './bonuses.tsx'
import classes from './customer.module.css'
import { CustomerHeader } from './customer-header.tsx'
import { CustomerSkeleton } from './customer-skeleton.tsx'
import { Details } from './details.tsx'
import { useDoing } from './doing.ts'
import { Forms } from './forms.tsx'
import { Holdings } from './holdings.tsx'
import { LimitChart } from './limit-chart.tsx'
import { Meters } from './meters.tsx'
import { Timeline } from './timeline.tsx'

export function Customer({ params }: PageProps) {
  const customerId = params.customerId ?? ''
  const { data, error, refetch } = useGet(
    '/v1/customers/{customerId}',
    { path: { customerId } },
    { isLive: true },
  )
  if (data === null) {
    return (
      <>
        <PageHeader title={customerId} />
        <Empty text="There is no customer with this id in this environment; it may have been deleted." />
      </>
    )
  }
  if (data === undefined && error !== null) {
    return (
      <>
        <PageHeader title={customerId} />
        <Failure error={error} retry={() => void refetch()} />
      </>
    )
  }
  return data === undefined ? <CustomerSkeleton customerId={customerId} /> : <Shown customer={data} />
}

function Shown({ customer }: { customer: ApiCustomer }) {
  const doing = useDoing()
  return (
    <>
      <CustomerHeader customer={customer} doing={doing} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <Meters customer={customer} doing={doing} />
          <LimitChart customer={customer} />
        </div>
        <div className={classes.aside}>
          <Holdings customer={customer} doing={doing} />
          <Bonuses customer={customer} doing={doing} />
          <Details customer={customer} />
        </div>
      </div>
      <Timeline customerId={customer.customerId} />
      <Forms customer={customer} doing={doing} />
    </>
  )
}
