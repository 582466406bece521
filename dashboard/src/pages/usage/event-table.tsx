// The ledger: usage events of all customers, newest first.
import { Link } from 'wouter'
import type { ListedEvent } from '../../api/generated.ts'
import type { EnvironmentOperations } from '../../api/operations.ts'
import { useList } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { toCurl } from '../../parts/calls.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatAmount } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './usage.module.css'

type Props = {
  query: NonNullable<EnvironmentOperations['GET /events']['query']>
  onOpen(eventId: string): void
}

export function EventTable({ query, onOpen }: Props) {
  const list = useList('/events', { query }, (answer) => answer.events, { isLive: true, keepsPrevious: true })
  const isFiltered = Object.keys(query).length > 0
  return (
    <Section title="Events" note="newest first">
      <Table
        caption="Usage events"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        onEdit={({ id }) => onOpen(id)}
        empty={isFiltered ? <Empty text="No event matches these filters." /> : <NoEvents />}
        expectedRows={12}
      />
    </Section>
  )
}

const columns: Column<ListedEvent>[] = [
  { title: 'When', width: 150, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  {
    title: 'Customer',
    cell: ({ customerId, customerName, featureKey }) => (
      <>
        <Link className={classes.customer ?? ''} href={`/customers/${encodeURIComponent(customerId)}`}>
          {customerName ?? customerId}
        </Link>
        <code className={classes.narrow}>{featureKey}</code>
      </>
    ),
  },
  {
    title: 'Feature',
    from: 700,
    cell: ({ featureKey }) => <code className={classes.mono}>{featureKey}</code>,
  },
  { title: 'Amount', width: 110, align: 'right', cell: ({ amount }) => formatAmount(amount) },
  {
    title: 'Event key',
    from: 1000,
    cell: ({ eventKey }) => <code className={classes.mono}>{eventKey}</code>,
  },
  {
    title: 'Product',
    from: 1000,
    width: 140,
    cell: ({ productKey }) => <code className={classes.mono}>{productKey}</code>,
  },
  {
    title: 'Marks',
    isTitleHidden: true,
    from: 700,
    width: 170,
    cell: (event) => <EventMarks event={event} />,
  },
]

export function EventMarks({ event }: { event: ListedEvent }) {
  return (
    <span className={classes.marks}>
      {event.source === 'usage_set_adjustment' && <Badge tone="violet">adjustment</Badge>}
      {event.isEdited && <Badge tone="amber">edited</Badge>}
      {event.isDeleted && <Badge tone="red">deleted</Badge>}
    </span>
  )
}

const NoEvents = () => (
  <Empty
    text="Every use that is recorded is an event here, counted once however often it is sent. Record one above, or with this call."
    call={toCurl({
      method: 'POST',
      path: '/v1/usage',
      body: { customerId: 'acme', featureKey: 'api_calls', eventKey: 'request-1', amount: 1 },
    })}
  />
)
