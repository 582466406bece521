// Usage: how much was used, over time and by what, and every event of it below; the filters are the address.
import { Button } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { writeAddress } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { EnvironmentOperations } from '../../api/operations.ts'
import { useMay } from '../../api/session.ts'
import { useFilters } from '../../parts/filters.tsx'
import { useNow } from '../../parts/now.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { readRange } from '../../parts/range-pill.tsx'
import { EventDrawer } from './event-drawer.tsx'
import { EventTable } from './event-table.tsx'
import { RecordUsage } from './record-usage.tsx'
import classes from './usage.module.css'
import { UsageChart } from './usage-chart.tsx'
import { filterNames, UsageFilters } from './usage-filters.tsx'

type EventQuery = NonNullable<EnvironmentOperations['GET /events']['query']>

const minuteMs = 60_000

export function Usage() {
  const filters = useFilters(filterNames)
  const { values, set } = filters
  const environment = useEnvironment()
  const mayWrite = useMay()
  // To the minute, so that it asks anew when one has passed and not with every tick.
  const now = Math.ceil(useNow() / minuteMs) * minuteMs
  const { featureKey, customerId, productKey, source, search, range, from, to } = values
  const query = useMemo(
    () =>
      Object.fromEntries(
        Object.entries({
          featureKey,
          customerId,
          productKey,
          source,
          search,
          ...readRange(
            { ...(range ? { range } : {}), ...(from ? { from } : {}), ...(to ? { to } : {}) },
            now,
          ),
        }).filter(([, value]) => value !== undefined),
      ) as EventQuery,
    [featureKey, customerId, productKey, source, search, range, from, to, now],
  )
  const csv = writeAddress(`/dashboard/api/${environment}`, '/events.csv', { query })
  return (
    <>
      <PageHeader
        title="Usage"
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconDownload size={15} />}
              component="a"
              href={csv}
              download
            >
              CSV
            </Button>
            {mayWrite && (
              <Button leftSection={<IconPlus size={15} />} onClick={() => set('do', 'record')}>
                Record usage
              </Button>
            )}
          </>
        }
      />
      <UsageFilters {...filters} />
      <div className={classes.sections}>
        <UsageChart {...filters} query={query} now={now} />
        <EventTable query={query} onOpen={(id) => set('event', id)} />
      </div>
      <EventDrawer eventId={values.event} onClose={() => set('event', undefined)} />
      {values.do === 'record' && mayWrite && (
        <RecordUsage customerId={customerId} featureKey={featureKey} onClose={() => set('do', undefined)} />
      )}
    </>
  )
}
