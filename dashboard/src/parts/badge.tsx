// A small word about a thing's state; the word tells it, the colour only helps.
import type { ReactNode } from 'react'
import classes from './badge.module.css'

export type Tone = 'neutral' | 'accent' | 'amber' | 'red' | 'violet' | 'green'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>
}
