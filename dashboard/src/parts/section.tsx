// A part of a page under its own heading, with what can be done there.
import { type ReactNode, useId } from 'react'
import classes from './section.module.css'

type Props = { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }

export function Section({ title, note, actions, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={classes.head}>
        <h2 id={id}>
          {title} {note !== undefined && <span className={classes.note}>{note}</span>}
        </h2>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}
