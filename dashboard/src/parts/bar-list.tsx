// Amounts side by side as bars, the largest as wide as there is room: which of a few things has how much.
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import classes from './bar-list.module.css'
import { formatAmount } from './format.ts'

export type Bar = {
  key: string
  name: ReactNode
  value: number
  /** Where its name leads; below the environment. */
  href?: string
  /** Words after the amount: "of 1,000". */
  note?: ReactNode
  tone?: 'accent' | 'amber' | 'red' | 'soft'
}

type Props = {
  /** What the bars show, for screen readers: "Customers per product". */
  label: string
  /** undefined while they are on their way. */
  bars: Bar[] | undefined
  expectedBars?: number
}

export function BarList({ label, bars, expectedBars = 4 }: Props) {
  if (bars === undefined) return <Skeleton height={expectedBars * 32} />
  const highest = Math.max(...bars.map(({ value }) => value), 1)
  return (
    <ul className={classes.list} aria-label={label}>
      {bars.map(({ key, name, value, href, note, tone = 'accent' }) => (
        <li key={key} className={classes.row}>
          <span className={classes.name}>{href === undefined ? name : <Link href={href}>{name}</Link>}</span>
          <span className={classes.track} aria-hidden>
            <span
              className={`${classes.fill} ${classes[tone]}`}
              style={{ width: `${(Math.max(value, 0) / highest) * 100}%` }}
            />
          </span>
          <span className={classes.value}>
            {formatAmount(value)}
            {note !== undefined && <span className={classes.note}> {note}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
