// Lines of code to copy.
import classes from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

export function CodeBlock({ text, label = 'Copy the call' }: { text: string; label?: string }) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard */}
      <pre className={classes.code} tabIndex={0}>
        {text}
      </pre>
      <span className={classes.copy}>
        <CopyButton text={text} label={label} />
      </span>
    </div>
  )
}
