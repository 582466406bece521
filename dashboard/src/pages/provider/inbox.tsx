// The inbox: what the provider told us, in which state it is; what fails can be tried again at once.
import { Button, Drawer, SegmentedControl } from '@mantine/core'
import type { ProviderEvent, ProviderStatus } from '../../api/generated.ts'
import { useChange, useList } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { useFilters } from '../../parts/filters.tsx'
import { formatAmount, formatCount } from '../../parts/format.ts'
import { Id } from '../../parts/id.tsx'
import { Section } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/toast.tsx'
import classes from './provider.module.css'

const states = ['waiting', 'failing', 'done'] as const

export function Inbox({ counts }: { counts: ProviderStatus['inbox'] | undefined }) {
  const { values, set } = useFilters(['state', 'event'] as const)
  const state = states.find((each) => each === values.state)
  const query = state === undefined ? {} : { state }
  const list = useList('/provider/events', { query }, (answer) => answer.events, {
    isLive: true,
    keepsPrevious: true,
  })
  const opened = list.rows?.find(({ eventId }) => eventId === values.event)
  const count = (value: number | undefined) => (value ? ` ${formatAmount(value)}` : '')
  return (
    <Section
      title="Inbox"
      note="newest first"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="State of the events"
          data={[
            { value: 'all', label: 'All' },
            { value: 'waiting', label: `Waiting${count(counts?.waiting)}` },
            { value: 'failing', label: `Failing${count(counts?.failing)}` },
            { value: 'done', label: 'Done' },
          ]}
          value={state ?? 'all'}
          onChange={(value) => set('state', value === 'all' ? undefined : value)}
        />
      }
    >
      <Table
        caption="Events of the provider"
        list={list}
        columns={columns}
        rowKey={({ eventId }) => eventId}
        onOpen={({ eventId }) => set('event', eventId)}
        empty={
          <Empty
            text={
              state === undefined
                ? 'What the provider tells (a subscription began, a payment failed) appears here as it comes, with what became of it.'
                : 'No event is in this state.'
            }
          />
        }
        expectedRows={6}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => set('event', undefined)}
        title={opened?.type ?? 'Event'}
        size={520}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== undefined && <Opened event={opened} />}
      </Drawer>
    </Section>
  )
}

const columns: Column<ProviderEvent>[] = [
  { title: 'Event', cell: ({ type }) => <code className={classes.type}>{type}</code> },
  { title: 'State', width: 140, cell: (event) => <State event={event} /> },
  {
    title: 'Of',
    from: 700,
    cell: ({ customerId, subjectId }) => <code className={classes.mono}>{customerId ?? subjectId}</code>,
  },
  { title: 'Received', width: 150, from: 700, cell: ({ receivedAt }) => <Time at={receivedAt} isReal /> },
  {
    title: 'Took',
    width: 90,
    align: 'right',
    from: 1000,
    cell: ({ doneAt, receivedAt }) =>
      doneAt === null ? '' : `${formatAmount(Math.max(doneAt - receivedAt, 0))} ms`,
  },
]

function State({ event: { doneAt, lastError, attempts } }: { event: ProviderEvent }) {
  if (doneAt !== null) return <Badge tone="green">Done</Badge>
  if (lastError !== null) return <Badge tone="red">Failing, {formatCount(attempts, 'try', 'tries')}</Badge>
  return <Badge tone="amber">Waiting</Badge>
}

function Opened({ event }: { event: ProviderEvent }) {
  const mayWrite = useMay()
  const toast = useToast()
  const { eventId, customerId, subjectKind, subjectId, createdAt, receivedAt, doneAt, attempts, lastError } =
    event
  const retry = useChange((api, id: string) =>
    api.post('/provider/events/{eventId}/retry', { path: { eventId: id } }),
  )
  return (
    <div className={classes.opened}>
      <Facts>
        <Fact name="State">
          <State event={event} />
        </Fact>
        {customerId !== undefined && (
          <Fact name="Customer">
            <Id value={customerId} />
          </Fact>
        )}
        <Fact name={subjectKind === 'customer' ? 'At the provider' : 'Product'}>
          <Id value={subjectId} />
        </Fact>
        <Fact name="Happened">
          <Time at={createdAt} isReal />
        </Fact>
        <Fact name="Received">
          <Time at={receivedAt} isReal />
        </Fact>
        {doneAt !== null && (
          <Fact name="Done">
            <Time at={doneAt} isReal />
          </Fact>
        )}
        <Fact name="Tries">{formatAmount(attempts)}</Fact>
        <Fact name="Event id">
          <Id value={eventId} />
        </Fact>
      </Facts>
      {lastError !== null && <p className={classes.problem}>{lastError}</p>}
      {mayWrite && doneAt === null && (
        <div>
          <Button
            loading={retry.isPending}
            onClick={() =>
              retry.mutate(eventId, {
                onSuccess: () => toast({ text: 'The event is tried again now' }),
                onError: (error) => toast({ text: error.message, isError: true }),
              })
            }
          >
            Try again now
          </Button>
        </div>
      )}
    </div>
  )
}
