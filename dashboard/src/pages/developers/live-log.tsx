// The live log: requests by key as they are answered, over all instances; paused, filtered, opened.
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { toCurl } from '../../parts/calls.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterBar, FilterPill, SearchField, useFilters } from '../../parts/filters.tsx'
import { formatAmount, formatCount } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { Table } from '../../parts/table.tsx'
import classes from './developers.module.css'
import { logColumns } from './log-columns.tsx'
import { LogDrawer } from './log-drawer.tsx'
import { type LogFilters, matchesFilters, outcomes } from './log-filters.ts'
import type { LogLine, RequestLog } from './request-log.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value }))

export function LiveLog({ log }: { log: RequestLog }) {
  const { values, set } = useFilters(['path', 'method', 'outcome', 'key'] as const)
  const keys = useGet('/keys', {})
  const [opened, setOpened] = useState<LogLine>()
  // A key that was just made is not known by name where the line was written.
  const names = new Map(keys.data?.keys.map(({ keyId, name }) => [keyId, name]))
  const rows = log.lines
    .filter((line) => matchesFilters(line, values as LogFilters))
    .map((line) => ({ ...line, keyName: line.keyName ?? names.get(line.keyId) ?? null }))
  const list = {
    rows,
    error: null,
    retry: () => {},
    hasMore: false,
    loadMore: () => {},
    isLoadingMore: false,
  }
  return (
    <Section
      title="Live log"
      note={<LogState log={log} />}
      actions={
        <>
          <Button
            variant="default"
            leftSection={log.isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
            onClick={log.isPaused ? log.resume : log.pause}
          >
            {log.isPaused ? `Resume${log.waiting > 0 ? ` (${formatAmount(log.waiting)} new)` : ''}` : 'Pause'}
          </Button>
          <Tooltip label="Clear">
            <ActionIcon variant="default" size={30} aria-label="Clear the log" onClick={log.clear}>
              <IconTrash size={14} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <FilterBar right={log.dropped > 0 ? <Dropped count={log.dropped} /> : undefined}>
        <SearchField
          value={values.path}
          placeholder="Search path, request or code"
          onChange={(value) => set('path', value)}
        />
        <FilterPill
          label="Outcome"
          value={values.outcome}
          options={outcomes}
          onChange={(value) => set('outcome', value)}
        />
        <FilterPill
          label="Method"
          value={values.method}
          options={methods}
          onChange={(value) => set('method', value)}
        />
        <FilterPill
          label="Key"
          value={values.key}
          options={(keys.data?.keys ?? []).map(({ keyId, name, lastFour }) => ({
            value: keyId,
            label: `${name} …${lastFour}`,
          }))}
          onChange={(value) => set('key', value)}
        />
      </FilterBar>
      <div className={classes.log}>
        <Table
          caption="Requests"
          list={list}
          columns={logColumns}
          rowKey={({ requestId }) => requestId}
          onOpen={setOpened}
          isDense
          empty={
            log.lines.length === 0 ? <NoLines /> : <Empty text="No line so far matches these filters." />
          }
        />
      </div>
      <LogDrawer line={opened} onClose={() => setOpened(undefined)} />
    </Section>
  )
}

function LogState({ log }: { log: RequestLog }) {
  const [text, state] = log.isPaused
    ? ['paused', classes.paused]
    : {
        connecting: ['connecting…', classes.paused],
        open: ['live', classes.open],
        broken: ['connection lost, trying again…', classes.broken],
      }[log.state]
  return (
    <span className={classes.state} role="status">
      <span className={`${classes.light} ${state}`} aria-hidden />
      {text}
    </span>
  )
}

const Dropped = ({ count }: { count: number }) => (
  <span title="At most fifty lines a second are shown.">{formatCount(count, 'line')} left out</span>
)

const NoLines = () => (
  <Empty
    text="Requests with a key of this environment appear here the moment they are answered. Nothing is kept: what came before this page was opened is not shown."
    call={toCurl({ path: '/v1/feature-access?customerId=acme' })}
  />
)
