// The customer's bonuses: what each gave and has left, with give, edit and delete.
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { Bonus, Customer } from '@tollkeeper/sdk/src/generated/api.ts'
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { formatAmount } from '../../parts/format.ts'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './customer.module.css'
import type { Doing } from './doing.ts'
import { useFeatureNames } from './feature-names.ts'
import { SmallButton } from './small-button.tsx'

type Props = { customer: Customer; doing: Doing }

export function Bonuses({ customer, doing }: Props) {
  const { customerId } = customer
  const mayWrite = useMay()
  const [showsSpent, setShowsSpent] = useState(false)
  const all =
    useGet('/v1/bonuses', { query: { customerId } }, { isLive: true }).data?.bonuses ?? customer.bonuses
  const now = useNow()
  const isOpen = ({ remainingAmount, expiresAt }: Bonus) =>
    remainingAmount > 0 && (expiresAt === undefined || expiresAt > now)
  const shown = showsSpent ? all : all.filter(isOpen)
  const spent = all.length - all.filter(isOpen).length
  return (
    <Section
      title="Bonuses"
      actions={
        mayWrite ? <SmallButton onClick={() => doing.open('give-bonus')}>Give</SmallButton> : undefined
      }
    >
      {shown.length === 0 && (
        <p className={classes.soft}>
          {spent === 0 ? 'None yet: a bonus is extra allowance of a feature.' : 'None is open.'}
        </p>
      )}
      {shown.map((bonus) => (
        <Row key={bonus.bonusId} bonus={bonus} isOpen={isOpen(bonus)} mayWrite={mayWrite} doing={doing} />
      ))}
      {spent > 0 && (
        <SmallButton onClick={() => setShowsSpent(!showsSpent)}>
          {showsSpent ? 'Hide used and expired' : `Show ${spent} used or expired`}
        </SmallButton>
      )}
    </Section>
  )
}

type RowProps = { bonus: Bonus; isOpen: boolean; mayWrite: boolean; doing: Doing }

function Row({ bonus, isOpen, mayWrite, doing }: RowProps) {
  const { bonusId, featureKey, amount, remainingAmount, expiresAt, reason, createdAt } = bonus
  const name = useFeatureNames()(featureKey)
  return (
    <div className={classes.item}>
      <div className={classes.what}>
        <div className={classes.first}>
          {formatAmount(amount)} {name}
          {isOpen ? (
            <Badge tone="violet">{formatAmount(remainingAmount)} left</Badge>
          ) : (
            <Badge>{remainingAmount > 0 ? 'expired' : 'used up'}</Badge>
          )}
        </div>
        {reason !== undefined && <div>{reason}</div>}
        <div className={classes.soft}>
          given <Time at={createdAt} />
          {expiresAt !== undefined && (
            <>
              {isOpen ? ' · expires ' : ' · expired '}
              <Time at={expiresAt} />
            </>
          )}
        </div>
      </div>
      {mayWrite && (
        <Menu>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={`Bonus of ${amount} ${name}: actions`}
            >
              <IconDots size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => doing.open('edit-bonus', { bonusId })}>Edit bonus</Menu.Item>
            <Menu.Item c="var(--red-ink)" onClick={() => doing.open('delete-bonus', { bonusId })}>
              Delete bonus
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
