// One usage event: what it says, what was changed of it by whom, and changing or deleting it.
import { Button, Drawer, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { ListedEvent } from '../../api/generated.ts'
import { useGet } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs } from '../../parts/copy-as.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Failure } from '../../parts/failure.tsx'
import { formatAmount, formatTime, formatUtc } from '../../parts/format.ts'
import { Id } from '../../parts/id.tsx'
import { DeleteEvent } from './delete-event.tsx'
import { EditEvent } from './edit-event.tsx'
import { EventHistory } from './event-history.tsx'
import { EventMarks } from './event-table.tsx'
import classes from './usage.module.css'

type Props = { eventId: string | undefined; onClose(): void }

export function EventDrawer({ eventId, onClose }: Props) {
  return (
    <Drawer
      opened={eventId !== undefined}
      onClose={onClose}
      title="Usage event"
      size={560}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {eventId !== undefined && <Found key={eventId} eventId={eventId} />}
    </Drawer>
  )
}

/** By its id, deleted ones too. */
function Found({ eventId }: { eventId: string }) {
  const { data, error, refetch } = useGet('/events', { query: { search: eventId, limit: 1 } })
  const event = data?.events.find(({ id }) => id === eventId)
  if (event !== undefined) return <Event event={event} />
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />
  if (data !== undefined) return <p className={classes.soft}>There is no event with this id.</p>
  return <Skeleton height={280} />
}

function Event({ event }: { event: ListedEvent }) {
  const mayWrite = useMay()
  const [doing, setDoing] = useState<'edit' | 'delete'>()
  const { id, customerId, customerName, featureKey, amount, occurredAt, eventKey, productKey, metadata } =
    event
  const close = () => setDoing(undefined)
  return (
    <div className={classes.event}>
      <div className={classes.amount}>
        {formatAmount(amount)} <code className={classes.mono}>{featureKey}</code> <EventMarks event={event} />
      </div>
      <Facts>
        <Fact name="Customer">
          <Link href={`/customers/${encodeURIComponent(customerId)}`}>{customerName ?? customerId}</Link>
        </Fact>
        <Fact name="When">
          <span title={formatUtc(occurredAt)}>{formatTime(occurredAt)}</span>
        </Fact>
        <Fact name="Event id">
          <Id value={id} />
        </Fact>
        {eventKey !== undefined && (
          <Fact name="Event key">
            <Id value={eventKey} />
          </Fact>
        )}
        {productKey !== undefined && (
          <Fact name="Product">
            <Link href={`/products/${encodeURIComponent(productKey)}`}>{productKey}</Link>
          </Fact>
        )}
        {Object.entries(metadata).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
      {!event.isDeleted && doing === undefined && (
        <div className={classes.buttons}>
          {mayWrite && (
            <>
              <Button variant="default" onClick={() => setDoing('edit')}>
                Edit event
              </Button>
              <Button variant="default" c="red" onClick={() => setDoing('delete')}>
                Delete event
              </Button>
            </>
          )}
          <CopyAs
            calls={[
              {
                curl: toCurl({ path: `/v1/usage/${encodeURIComponent(id)}` }),
                sdk: `await tk.usage.get(${JSON.stringify(id)})`,
              },
            ]}
          />
        </div>
      )}
      {doing === 'edit' && <EditEvent event={event} onClose={close} />}
      {doing === 'delete' && <DeleteEvent event={event} onClose={close} />}
      <EventHistory eventId={id} />
    </div>
  )
}
