// Home: what happens now, what needs attention, and for a new installation the four steps to begin with.
import { useGet } from '../../api/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { Figure, Figures } from '../../parts/figure.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Attention } from './attention.tsx'
import { Checklist } from './checklist.tsx'
import { DemoNote } from './demo-note.tsx'
import { EventsChart } from './events-chart.tsx'
import classes from './home.module.css'
import { Refusals } from './refusals.tsx'

export function Home() {
  const { data, error, refetch } = useGet('/overview', {}, { isLive: true })
  const figures = data?.figures
  if (data === undefined && error !== null) {
    return (
      <>
        <PageHeader title="Home" />
        <Failure error={error} retry={() => void refetch()} />
      </>
    )
  }
  return (
    <>
      <PageHeader title="Home" />
      {data !== undefined && <Checklist checklist={data.checklist} />}
      {data !== undefined && <DemoNote hasCustomer={data.checklist.hasCustomer} />}
      <Figures>
        <Figure
          label="Events today"
          value={figures?.eventsToday.value}
          values={figures?.eventsToday.perHour}
          span="per hour, 24 h"
        />
        <Figure
          label="Active customers"
          value={figures?.activeCustomers.value}
          values={figures?.activeCustomers.perDay}
          span="per day, 14 days"
        />
        <Figure
          label="Refused today"
          value={figures?.refusedToday.value}
          values={figures?.refusedToday.perHour}
          span="per hour, 24 h"
        />
        <Figure label="Customers" value={figures?.customers.value} href="/customers" />
      </Figures>
      <div className={classes.columns}>
        <Attention attention={data?.attention} />
        <div className={classes.charts}>
          <EventsChart />
          <Refusals refusals={data?.refusals} />
        </div>
      </div>
    </>
  )
}
