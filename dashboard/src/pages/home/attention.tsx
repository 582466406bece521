// What needs attention, each with the one button that helps.
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { AnswerOf, EnvironmentOperations } from '../../api/operations.ts'
import { useMay } from '../../api/session.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './home.module.css'

export type Overview = AnswerOf<EnvironmentOperations['GET /overview']>
type Item = Overview['attention'][number]

const mostAtFirst = 8

export function Attention({ attention }: { attention: Item[] | undefined }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? attention : attention?.slice(0, mostAtFirst)
  const hidden = (attention?.length ?? 0) - (shown?.length ?? 0)
  return (
    <section aria-labelledby="attention">
      <h2 id="attention" className={classes.title}>
        Needs attention
      </h2>
      {attention === undefined && [0, 1, 2, 3].map((row) => <Skeleton key={row} height={44} mb={8} />)}
      {attention?.length === 0 && (
        <p className={classes.soft}>
          Nothing. Customers near or over a limit, past-due subscriptions and trouble with the payment
          provider are named here.
        </p>
      )}
      {shown?.map((item) => (
        <Row key={`${item.kind} ${item.customerId} ${item.featureKey} ${item.at} ${item.text}`} item={item} />
      ))}
      {attention?.some(({ kind }) => kind === 'over_limit') && (
        <p className={classes.soft}>
          <Link href="/customers?status=over&sort=share">All customers at their limit</Link>
        </p>
      )}
      {hidden > 0 && (
        <Button variant="subtle" color="gray" mt={8} onClick={() => setWhole(true)}>
          Show {hidden} more
        </Button>
      )}
    </section>
  )
}

const kinds: Record<Item['kind'], { tone: Tone; word: string; help: string; isWrite?: true }> = {
  over_limit: { tone: 'red', word: 'at its limit', help: 'Give bonus', isWrite: true },
  near_limit: { tone: 'amber', word: 'near limit', help: 'See why' },
  past_due: { tone: 'red', word: 'past due', help: 'See subscription' },
  provider_event: { tone: 'amber', word: 'payment event', help: 'See events' },
  unlinked_customer: { tone: 'amber', word: 'not linked', help: 'See customer' },
}

function Row({ item }: { item: Item }) {
  const { tone, word, help, isWrite } = kinds[item.kind]
  const isOver = item.kind === 'over_limit' && (item.used ?? 0) > (item.allowance ?? 0)
  const mayWrite = useMay()
  const customer =
    item.customerId === undefined ? undefined : `/customers/${encodeURIComponent(item.customerId)}`
  return (
    <div className={classes.row}>
      <div className={classes.what}>
        <div className={classes.first}>
          {customer !== undefined && (
            <Link className={classes.name ?? ''} href={customer}>
              {item.customerName ?? item.customerId}
            </Link>
          )}
          <Badge tone={tone}>{isOver ? 'over limit' : word}</Badge>
        </div>
        <div className={classes.soft}>
          {item.text}
          {item.at !== undefined && (
            <>
              {' · '}
              <Time at={item.at} />
            </>
          )}
        </div>
      </div>
      {(!isWrite || mayWrite) && (
        <Button variant="default" flex="none" component={Link} href={findHelp(item, customer)}>
          {help}
        </Button>
      )}
    </div>
  )
}

function findHelp({ kind, featureKey }: Item, customer = '/customers'): string {
  const feature = featureKey === undefined ? '' : `&featureKey=${encodeURIComponent(featureKey)}`
  if (kind === 'over_limit') return `${customer}?do=give-bonus${feature}`
  if (kind === 'near_limit') return `${customer}?do=why${feature}`
  if (kind === 'provider_event') return '/provider?state=failing'
  return customer
}
