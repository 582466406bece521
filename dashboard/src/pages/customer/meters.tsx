// What the customer has of every feature: meters for those that are counted, a line for the others.
import { UnstyledButton } from '@mantine/core'
import type { Customer } from '@tollkeeper/sdk/src/generated/api.ts'
import { useMay } from '../../api/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { toCurl } from '../../parts/calls.ts'
import { Empty } from '../../parts/empty.tsx'
import { formatAmount } from '../../parts/format.ts'
import { Meter } from '../../parts/meter.tsx'
import type { Access } from '../../parts/meter-parts.ts'
import { Section } from '../../parts/section.tsx'
import { WhyDrawer } from '../../parts/why-drawer.tsx'
import classes from './customer.module.css'
import type { Doing } from './doing.ts'
import { useFeatureNames } from './feature-names.ts'
import { SmallButton } from './small-button.tsx'

type Props = { customer: Customer; doing: Doing }

export function Meters({ customer, doing }: Props) {
  const nameOf = useFeatureNames()
  const mayWrite = useMay()
  const all = Object.entries(customer.featureAccess)
  const counted = all.filter(([, access]) => access.hasAccess && access.usage !== undefined).sort(byPressure)
  const others = all.filter(([, access]) => !access.hasAccess || access.usage === undefined)
  const isWhy = doing.do === 'why'
  return (
    <Section
      title="Usage"
      note="in the current period"
      actions={
        mayWrite && counted.length > 0 ? (
          <>
            <SmallButton onClick={() => doing.open('record-usage')}>Record</SmallButton>
            <SmallButton onClick={() => doing.open('set-usage')}>Set</SmallButton>
          </>
        ) : undefined
      }
    >
      {all.length === 0 && <NoFeatures />}
      {counted.map(([featureKey, access]) => (
        <Meter
          key={featureKey}
          name={nameOf(featureKey)}
          access={access}
          bonusExpiresAt={findExpiry(customer, featureKey)}
          onWhy={() => doing.open('why', { featureKey })}
        />
      ))}
      {others.length > 0 && (
        <div className={classes.others}>
          {others.map(([featureKey, access]) => (
            <Other
              key={featureKey}
              name={nameOf(featureKey)}
              access={access}
              onWhy={() => doing.open('why', { featureKey })}
            />
          ))}
        </div>
      )}
      <WhyDrawer
        customerId={customer.customerId}
        featureKey={isWhy ? doing.featureKey : undefined}
        name={nameOf(doing.featureKey ?? '')}
        onClose={doing.close}
      />
    </Section>
  )
}

type Entry = [featureKey: string, access: Access]

/** What is nearest to its limit comes first; the rest as the catalogue has it. */
const byPressure = ([, one]: Entry, [, other]: Entry): number => pressure(other) - pressure(one)

function pressure({ usage, limit, isUnlimited }: Access): number {
  if (usage === undefined || isUnlimited || limit === undefined) return -1
  const most = limit + usage.bonusUsed + usage.bonusRemaining
  return most > 0 ? usage.used / most : usage.used > 0 ? Number.POSITIVE_INFINITY : 0
}

function findExpiry({ bonuses }: Customer, featureKey: string): number | undefined {
  const times = bonuses
    .filter((bonus) => bonus.featureKey === featureKey && bonus.remainingAmount > 0)
    .flatMap(({ expiresAt }) => expiresAt ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}

function Other({ name, access, onWhy }: { name: string; access: Access; onWhy(): void }) {
  return (
    <div className={classes.other}>
      <span className={classes.otherName}>
        {name}
        {access.hasAccess ? (
          <Badge tone="green">{writeGiven(access)}</Badge>
        ) : (
          <Badge>{access.type === 'boolean' ? 'not included' : 'no access'}</Badge>
        )}
      </span>
      <UnstyledButton className={classes.why} aria-label={`Why: ${name}`} onClick={onWhy}>
        why ›
      </UnstyledButton>
    </div>
  )
}

function writeGiven({ type, isUnlimited, limit }: Access): string {
  if (type === 'boolean') return 'included'
  return isUnlimited ? 'unlimited' : `up to ${formatAmount(limit ?? 0)}`
}

function NoFeatures() {
  return (
    <Empty
      text="A meter appears here for every feature of your catalogue. This call makes the first one."
      call={toCurl({
        method: 'POST',
        path: '/v1/features',
        body: { featureKey: 'api_calls', name: 'API calls', type: 'limit' },
      })}
    />
  )
}
