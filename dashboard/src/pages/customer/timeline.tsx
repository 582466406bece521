// Everything that happened with the customer, newest first, by kind.
import { Button, Skeleton } from '@mantine/core'
import { IconAdjustments, IconChartBar, IconCreditCard, IconShoppingCart } from '@tabler/icons-react'
import type { AnswerOf, EnvironmentOperations } from '../../api/operations.ts'
import { useList } from '../../api/queries.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { FilterPill, useFilters } from '../../parts/filters.tsx'
import { formatAmount, formatCount } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './timeline.module.css'

type Entry = AnswerOf<EnvironmentOperations['GET /customers/{customerId}/timeline']>['entries'][number]

const kinds = [
  { value: 'usage', label: 'Usage' },
  { value: 'change', label: 'Changes' },
  { value: 'subscription', label: 'Subscriptions' },
  { value: 'checkout', label: 'Checkouts' },
]

export function Timeline({ customerId }: { customerId: string }) {
  const { values, set } = useFilters(['kinds'] as const)
  const list = useList(
    '/customers/{customerId}/timeline',
    {
      path: { customerId },
      query: { limit: 20, ...(values.kinds === undefined ? {} : { kinds: values.kinds }) },
    },
    (answer) => answer.entries,
    { isLive: true, keepsPrevious: true },
  )
  return (
    <Section
      title="Timeline"
      actions={
        <FilterPill
          label="Kind"
          value={values.kinds}
          options={kinds}
          onChange={(value) => set('kinds', value)}
        />
      }
    >
      {list.rows === undefined && list.error !== null && <Failure error={list.error} retry={list.retry} />}
      {list.rows === undefined && list.error === null && <Skeleton height={240} />}
      {list.rows?.length === 0 && (
        <Empty text="Usage, changes and by whom, checkouts and what the payment provider said are told here." />
      )}
      <ol className={classes.entries}>
        {list.rows?.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id of their own
          <TimelineRow key={`${entry.kind} ${entry.at} ${index}`} entry={entry} />
        ))}
      </ol>
      {list.hasMore && (
        <Button variant="subtle" color="gray" loading={list.isLoadingMore} onClick={list.loadMore}>
          Show more
        </Button>
      )}
    </Section>
  )
}

const icons = {
  usage: IconChartBar,
  change: IconAdjustments,
  subscription: IconCreditCard,
  checkout: IconShoppingCart,
}

function TimelineRow({ entry }: { entry: Entry }) {
  const { kind, at, title, actor, amount, count, before, after } = entry
  const Icon = icons[kind]
  const changed = listChanges(before, after)
  return (
    <li className={classes.entry}>
      <span className={classes.icon}>
        <Icon size={14} stroke={1.7} aria-hidden />
      </span>
      <div className={classes.what}>
        <div>
          {title}
          {amount !== undefined && <strong className={classes.amount}> {formatAmount(amount)}</strong>}
          {count !== undefined && count > 1 && (
            <span className={classes.soft}> in {formatCount(count, 'event')}</span>
          )}
        </div>
        {changed.length > 0 && <div className={classes.soft}>{changed.join(' · ')}</div>}
      </div>
      <div className={classes.side}>
        {actor !== undefined && <span className={classes.soft}>{writeActor(actor)}</span>}
        <Time at={at} />
      </div>
    </li>
  )
}

const mostChanges = 4

/** Field by field what a change made of it, as far as it is a plain value. */
function listChanges(before: unknown, after: unknown): string[] {
  if (!isRecord(before) || !isRecord(after)) return []
  return Object.keys(after)
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .filter((name) => !isRecord(before[name]) && !isRecord(after[name]) && !/At$/.test(name))
    .slice(0, mostChanges)
    .map((name) => `${name}: ${writeValue(before[name])} → ${writeValue(after[name])}`)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const writeValue = (value: unknown): string =>
  value === undefined || value === null
    ? 'none'
    : typeof value === 'number'
      ? formatAmount(value)
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)

/** person:ada@example.com, key:…, the service itself. */
const writeActor = (actor: string): string => actor.replace(/^(person|key):/, '')
