// What changes, feature by feature: what it was and what it will be, with what becomes less marked.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type AccessCell, writeCell } from '../../parts/access-cell.ts'
import classes from './difference.module.css'

export type DifferenceLine = {
  key: string
  name: ReactNode
  before: AccessCell
  after: AccessCell
  isLess: boolean
  note?: ReactNode
}

export function Difference({ lines }: { lines: DifferenceLine[] }) {
  return (
    <ul className={classes.lines} aria-label="What changes">
      {lines.map(({ key, name, before, after, isLess, note }) => (
        <li key={key} className={classes.line}>
          <span className={classes.name}>
            {name}
            {note !== undefined && <span className={classes.note}>{note}</span>}
          </span>
          <span className={classes.values}>
            <del className={classes.before}>{writeCell(before)}</del>
            <span aria-hidden>→</span>
            <ins className={classes.after}>{writeCell(after)}</ins>
            <span className={isLess ? classes.less : classes.more}>
              {isLess ? (
                <IconArrowDown size={14} aria-label="less" />
              ) : (
                <IconArrowUp size={14} aria-label="more" />
              )}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
