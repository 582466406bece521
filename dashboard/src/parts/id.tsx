// A key or id in the mono face, with copy on hover.
import { CopyButton } from './copy-button.tsx'
import classes from './id.module.css'

type Props = {
  value: string
  /** Shown instead of the whole value, which is what is copied. */
  text?: string
  hasCopy?: boolean
}

export function Id({ value, text = value, hasCopy = true }: Props) {
  return (
    <span className={classes.id}>
      <code className={classes.text} title={value}>
        {text}
      </code>
      {hasCopy && (
        <span className={classes.copy}>
          <CopyButton text={value} label={`Copy ${value}`} />
        </span>
      )}
    </span>
  )
}
