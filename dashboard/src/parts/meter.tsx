// How much of a feature a customer has used: the plan's part solid, the bonus part violet, what is over it red, the rest pale.
import { UnstyledButton } from '@mantine/core'
import { formatAmount, formatDay, formatShortDay, formatUntil } from './format.ts'
import classes from './meter.module.css'
import { type Access, computeMeterParts, type MeterParts } from './meter-parts.ts'
import { useNow } from './now.ts'

type Props = {
  name: string
  access: Access
  /** When the first of its bonuses expires. */
  bonusExpiresAt?: number | undefined
  onWhy?: () => void
}

export function Meter({ name, access, bonusExpiresAt, onWhy }: Props) {
  const now = useNow()
  const parts = computeMeterParts(access)
  const facts = writeFacts(access, parts, bonusExpiresAt, now)
  return (
    <div className={classes.meter}>
      <div className={classes.head}>
        <span className={classes.name}>{name}</span>
        <span className={`${classes.sum} ${parts === undefined ? '' : classes[parts.state]}`}>
          {writeSum(access, parts)}
        </span>
      </div>
      {parts !== undefined && <Bar name={name} parts={parts} />}
      {parts === undefined && access.isUnlimited && access.usage !== undefined && (
        <div className={classes.endless} />
      )}
      <div className={classes.foot}>
        <span>{facts.join(' · ')}</span>
        {onWhy !== undefined && (
          <UnstyledButton className={classes.why} aria-label={`Why: ${name}`} onClick={onWhy}>
            why ›
          </UnstyledButton>
        )}
      </div>
    </div>
  )
}

function Bar({ name, parts }: { name: string; parts: MeterParts }) {
  const { planUsed, planRest, bonusUsed, bonusRest, overage, total, state } = parts
  const segments: [kind: string, amount: number][] = [
    // With a bonus in the bar the plan keeps its colour, so that the two are told apart.
    [state !== 'ok' && bonusUsed + bonusRest === 0 && overage === 0 ? 'planNear' : 'plan', planUsed],
    ['planRest', planRest],
    ['bonus', bonusUsed],
    ['bonusRest', bonusRest],
    ['overage', overage],
  ]
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own has no parts
    <div
      className={classes.bar}
      role="meter"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={Math.max(total - overage, 0)}
      aria-valuenow={Math.max(total - overage - parts.remaining, 0)}
      aria-valuetext={writeSumOf(parts)}
    >
      {segments.map(([kind, amount]) => (
        <div
          key={kind.replace('Near', '')}
          className={`${classes.segment} ${classes[kind]}`}
          style={{ width: total > 0 ? `${(amount / total) * 100}%` : kind === 'planRest' ? '100%' : 0 }}
        />
      ))}
    </div>
  )
}

function writeSumOf({ used, limit, bonusUsed, bonusRest, overage, remaining }: MeterParts): string {
  const bonus = bonusUsed + bonusRest
  const sum = `${formatAmount(used)} of ${formatAmount(limit)}${bonus > 0 ? ` + ${formatAmount(bonus)} bonus` : ''}`
  return `${sum} · ${overage > 0 ? `${formatAmount(overage)} over` : `${formatAmount(remaining)} left`}`
}

function writeSum(access: Access, parts: MeterParts | undefined): string {
  if (parts !== undefined) return writeSumOf(parts)
  if (!access.hasAccess) return 'No access'
  if (access.type === 'boolean') return 'Included'
  if (access.isUnlimited) {
    return access.usage === undefined ? 'Unlimited' : `${formatAmount(access.usage.used)} · unlimited`
  }
  return `Limit ${formatAmount(access.limit ?? 0)}`
}

function writeFacts(
  access: Access,
  parts: MeterParts | undefined,
  bonusExpiresAt: number | undefined,
  now: number,
) {
  const facts: string[] = []
  if (parts !== undefined) {
    const { planUsed, limit, bonusUsed, bonusRest, overage } = parts
    facts.push(
      planUsed >= limit
        ? `plan ${formatAmount(limit)} used up`
        : `plan ${formatAmount(planUsed)} of ${formatAmount(limit)}`,
    )
    if (bonusUsed + bonusRest > 0) {
      const expiry = bonusExpiresAt === undefined ? '' : ` (expires ${formatShortDay(bonusExpiresAt)})`
      facts.push(`bonus ${formatAmount(bonusUsed)} of ${formatAmount(bonusUsed + bonusRest)}${expiry}`)
    }
    if (overage > 0) facts.push(`${formatAmount(overage)} over the limit`)
  }
  if (access.usage !== undefined) facts.push(writeReset(access.usage.nextReset, now))
  if (!access.hasAccess) facts.push('No product held gives it')
  else if (access.usage === undefined && access.type === 'limit') facts.push('usage is not tracked')
  return facts
}

const writeReset = (at: number | undefined, now: number): string =>
  at === undefined ? 'never resets' : `resets ${formatUntil(at, now)} (${formatDay(at)})`
