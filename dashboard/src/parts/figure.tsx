// One number that matters, with how it went.
import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import classes from './figure.module.css'
import { formatAmount } from './format.ts'
import { Sparkline } from './sparkline.tsx'

type Props = {
  label: string
  /** undefined while it is on its way. */
  value: number | undefined
  values?: number[] | undefined
  /** What the line beside it covers: "per hour, today". */
  span?: string
  href?: string
  note?: ReactNode
}

export function Figure({ label, value, values, span, href, note }: Props) {
  return (
    <div className={classes.figure}>
      <div className={classes.label}>{href === undefined ? label : <Link href={href}>{label}</Link>}</div>
      <div className={classes.row}>
        {value === undefined ? (
          <Skeleton height={24} width={72} my={4} />
        ) : (
          <span className={classes.value}>{formatAmount(value)}</span>
        )}
        {values !== undefined && values.length > 1 && <Sparkline values={values} width={88} height={28} />}
      </div>
      <div className={classes.note}>{note ?? span}</div>
    </div>
  )
}

/** Figures side by side. */
export function Figures({ children }: { children: ReactNode }) {
  return <div className={classes.figures}>{children}</div>
}
