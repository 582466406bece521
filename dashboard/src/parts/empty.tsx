// What is shown where nothing is yet: a sentence that says what will be here, and the call that fills it.
import type { ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'
import classes from './empty.module.css'

type Props = {
  /** "Customers appear here when …" */
  text: string
  /** The call that fills it: `toCurl(…)`. */
  call?: string
  /** A button that does it here. */
  action?: ReactNode
}

export function Empty({ text, call, action }: Props) {
  return (
    <div className={classes.empty}>
      <p className={classes.text}>{text}</p>
      {action}
      {call !== undefined && <CodeBlock text={call} />}
    </div>
  )
}
