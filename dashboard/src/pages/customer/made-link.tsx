// A link that was made: to copy, or to open.
import { Button } from '@mantine/core'
import { CodeBlock } from '../../parts/code-block.tsx'
import classes from './customer.module.css'

export function MadeLink({ url, text }: { url: string; text: string }) {
  return (
    <div className={classes.link} role="status">
      <p className={classes.soft}>{text}</p>
      <CodeBlock text={url} label="Copy the link" />
      <div className={classes.linkButtons}>
        <Button variant="default" component="a" href={url} target="_blank" rel="noreferrer">
          Open
        </Button>
      </div>
    </div>
  )
}
