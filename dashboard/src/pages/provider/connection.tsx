// How the provider is connected, and how far behind it this environment is.
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useEnvironment } from '../../api/environment.ts'
import type { ProviderStatus } from '../../api/generated.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Figure, Figures } from '../../parts/figure.tsx'
import { formatCount } from '../../parts/format.ts'
import { Id } from '../../parts/id.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './provider.module.css'

export function Connection({ status }: { status: ProviderStatus | undefined }) {
  const environment = useEnvironment()
  if (status?.mode === 'none') return <NotConnected environment={environment} />
  const inbox = status?.inbox
  return (
    <div>
      <Figures>
        <Figure label="Events waiting" value={inbox?.waiting} note={writeOldest(inbox?.oldestWaitingAt)} />
        <Figure
          label="Failing"
          value={inbox?.failing}
          note={inbox?.failing === 0 ? 'none' : 'tried again by itself'}
        />
        <Figure label="Done today" value={inbox?.doneToday} />
        <Figure
          label="Customers without a link"
          value={status?.unlinked.count}
          note="not known at the provider yet"
        />
      </Figures>
      {status === undefined ? (
        <Skeleton height={112} />
      ) : (
        <Facts>
          <Fact name="Connection">
            {status.mode === 'simulator' ? (
              <Badge tone="violet">Simulator</Badge>
            ) : (
              <Badge tone="green">Account connected</Badge>
            )}{' '}
            <span className={classes.soft}>{modeWords[status.mode]}</span>
          </Fact>
          <Fact name="Webhook">
            <Id value={status.webhookUrl} />
          </Fact>
          <Fact name="Last event">{writeTime(status.lastEventAt)}</Fact>
          <Fact name="Last looked over">{writeTime(status.lastReconciledAt)}</Fact>
          {status.unlinked.count > 0 && (
            <Fact name="Unlinked">
              {formatCount(status.unlinked.count, 'customer')}; each is linked with its first checkout, or
              from <Link href="/customers">its page</Link>.
            </Fact>
          )}
        </Facts>
      )}
    </div>
  )
}

const modeWords = {
  simulator: 'Payments are played by the service itself; nobody is charged.',
  account: 'Payments go through the account whose key is configured.',
}

const writeTime = (at: number | null): ReactNode => (at === null ? 'Never' : <Time at={at} isReal />)

const writeOldest = (at: number | null | undefined): ReactNode =>
  at === undefined || at === null ? (
    'nothing waits'
  ) : (
    <>
      the oldest since <Time at={at} isReal />
    </>
  )

function NotConnected({ environment }: { environment: string }) {
  return (
    <Empty
      text={`No payment provider is connected in ${environment}. Features, custom products, usage and bonuses work without one; checkout, portal and subscriptions need it. Give the service the secret key of your account for ${environment} in its configuration and start it again; tollkeeper doctor says what is missing.`}
    />
  )
}
