// Settings, audit log: every change, by whom, with what it changed; filters are the address.
import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Environment } from '../../api/client.ts'
import { EnvironmentContext, useEnvironment } from '../../api/environment.ts'
import type { AuditEntry } from '../../api/generated.ts'
import { useGet, useList } from '../../api/queries.ts'
import { actionOptions, readActor, writeAction } from '../../parts/audit-words.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterBar, FilterPill, SearchField, useFilters } from '../../parts/filters.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { AuditDrawer } from './audit-drawer.tsx'
import classes from './settings.module.css'
import { SettingsFrame } from './settings-frame.tsx'

const names = ['environment', 'actor', 'action', 'subject', 'entry'] as const

export function AuditLog() {
  const last = useEnvironment()
  const { values, set } = useFilters(names)
  const environment: Environment =
    values.environment === 'live' || values.environment === 'test' ? values.environment : last
  return (
    <SettingsFrame title="Audit log">
      <EnvironmentContext value={environment}>
        <Entries
          key={environment}
          {...{ values, set }}
          choice={
            <SegmentedControl
              size="xs"
              aria-label="Environment"
              data={['test', 'live']}
              value={environment}
              onChange={(value) => set('environment', value)}
            />
          }
        />
      </EnvironmentContext>
    </SettingsFrame>
  )
}

type Props = {
  values: Partial<Record<(typeof names)[number], string>>
  set(name: (typeof names)[number], value: string | undefined): void
  choice: ReactNode
}

function Entries({ values, set, choice }: Props) {
  const { environment: _environment, entry, ...query } = values
  const list = useList('/audit-log', { query }, (answer) => answer.entries, {
    isLive: true,
    keepsPrevious: true,
  })
  const keyNames = useKeyNames()
  const opened = list.rows?.find(({ entryNo }) => String(entryNo) === entry)
  const isFiltered = Object.keys(query).length > 0
  return (
    <>
      <FilterBar right={choice}>
        <SearchField
          value={values.subject}
          placeholder="Id of what was changed"
          onChange={(value) => set('subject', value)}
        />
        <FilterPill
          label="Action"
          value={values.action}
          options={actionOptions}
          onChange={(value) => set('action', value)}
        />
        <FilterPill
          label="By"
          value={values.actor}
          options={actorOptions(list.rows ?? [], values.actor, keyNames)}
          onChange={(value) => set('actor', value)}
        />
      </FilterBar>
      <Table
        caption="Audit log"
        list={list}
        columns={columnsFor(keyNames)}
        rowKey={({ entryNo }) => String(entryNo)}
        onOpen={({ entryNo }) => set('entry', String(entryNo))}
        empty={
          <Empty
            text={
              isFiltered
                ? 'No change matches these filters.'
                : 'Every change of this environment is listed here: what, by which person or key, and what it was before.'
            }
          />
        }
        expectedRows={12}
      />
      <AuditDrawer entry={opened} keyNames={keyNames} onClose={() => set('entry', undefined)} />
    </>
  )
}

/** Keys are named in the log by their id. */
function useKeyNames(): Map<string, string> {
  const keys = useGet('/keys', {})
  return new Map((keys.data?.keys ?? []).map(({ keyId, name }) => [keyId, name]))
}

function columnsFor(keyNames: Map<string, string>): Column<AuditEntry>[] {
  return [
    { title: 'What', cell: ({ action }) => writeAction(action) },
    { title: 'Of', cell: ({ subject }) => <code className={classes.subject}>{subject}</code> },
    { title: 'By', width: 240, from: 700, cell: ({ actor }) => writeActor(actor, keyNames) },
    { title: 'When', width: 160, cell: ({ at }) => <Time at={at} isReal /> },
  ]
}

function writeActor(actor: string, keyNames: Map<string, string>): string {
  const { kind, name } = readActor(actor)
  return kind === 'key' ? `key ${keyNames.get(name) ?? name}` : name
}

/** Those of the lines that are there, and the one that is chosen. */
function actorOptions(rows: AuditEntry[], chosen: string | undefined, keyNames: Map<string, string>) {
  const actors = new Set(rows.map(({ actor }) => actor))
  if (chosen !== undefined) actors.add(chosen)
  return [...actors].map((actor) => ({ value: actor, label: writeActor(actor, keyNames) }))
}
