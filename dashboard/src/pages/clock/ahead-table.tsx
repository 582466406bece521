// What lies ahead of the test clock, next first, each a place to move it to.
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Ahead } from '../../api/generated.ts'
import { toList } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { formatTime, formatUtc } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './clock.module.css'
import { kindOf } from './mark-words.ts'

type Props = {
  query: UseQueryResult<{ ahead: Ahead[]; isCut: boolean }, Error>
  onMove: ((at: number) => void) | undefined
}

export function AheadTable({ query, onMove }: Props) {
  const list = toList(query, ({ ahead }) => ahead.map((mark, index) => ({ ...mark, index })))
  const columns: Column<Ahead & { index: number }>[] = [
    {
      title: 'When',
      width: 170,
      cell: ({ at }) => <span title={formatUtc(at)}>{formatTime(at)}</span>,
    },
    { title: 'In', width: 110, from: 700, cell: ({ at }) => <Time at={at} isUntil /> },
    {
      title: 'What',
      width: 160,
      cell: ({ kind }) => <Badge tone={kindOf(kind).tone}>{kindOf(kind).name}</Badge>,
    },
    {
      title: 'Customer',
      cell: ({ customerId }) => (
        <Link className={classes.customer ?? ''} href={`/customers/${encodeURIComponent(customerId)}`}>
          {customerId}
        </Link>
      ),
    },
    { title: 'More', from: 1000, cell: ({ text }) => <span className={classes.soft}>{text}</span> },
  ]
  if (onMove !== undefined) {
    columns.push({
      title: 'Move the clock',
      isTitleHidden: true,
      width: 110,
      align: 'right',
      from: 700,
      cell: ({ at }) => (
        <Button variant="subtle" size="compact-xs" onClick={() => onMove(at)}>
          Move there
        </Button>
      ),
    })
  }
  return (
    <Section title="Ahead" note={query.data?.isCut ? 'the first 200' : undefined}>
      <Table
        caption="What lies ahead"
        list={list}
        columns={columns}
        rowKey={({ index }) => String(index)}
        empty={
          <Empty text="Resets of usage, renewals, ends of trials and of subscriptions, and bonuses that expire are listed here once there are customers with them." />
        }
        expectedRows={6}
      />
    </Section>
  )
}
