// What was edited and not saved, at the foot of the page: how many changes, who is affected, who would be over, and the way on.
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatCount } from '../../parts/format.ts'
import classes from './change-bar.module.css'
import { type Change, findUnfinished } from './draft.ts'
import { type Preview, writeOver } from './preview.ts'

type Props = {
  changes: Change[]
  preview: UseQueryResult<Preview, Error>
  onDiscard(): void
  onReview(): void
}

export function ChangeBar({ changes, preview, onDiscard, onReview }: Props) {
  const unfinished = findUnfinished(changes)
  useLeaveWarning(changes.length > 0)
  if (changes.length === 0) return null
  return (
    <section className={classes.bar} aria-label="Changes that are not saved">
      <p className={classes.words} role="status">
        <strong>{formatCount(changes.length, 'change')}</strong>
        {unfinished === undefined ? (
          <Affected preview={preview} />
        ) : (
          <span className={classes.problem}>{unfinished.name} needs a limit</span>
        )}
      </p>
      <div className={classes.buttons}>
        <Button variant="subtle" color="gray" onClick={onDiscard}>
          Discard
        </Button>
        <Button disabled={unfinished !== undefined} onClick={onReview}>
          Review
        </Button>
      </div>
    </section>
  )
}

function Affected({ preview: { data, error, isPlaceholderData } }: { preview: Props['preview'] }) {
  if (error !== null) return <span className={classes.problem}>{error.message}</span>
  if (data === undefined) return <span className={classes.soft}>counting who is affected …</span>
  const { affected, overLimitCount, isExact } = data
  const about = isExact ? '' : 'about '
  return (
    <>
      <span className={isPlaceholderData ? classes.soft : undefined}>
        {about}
        {formatCount(affected, 'customer')} affected
      </span>
      <span className={overLimitCount > 0 ? classes.over : classes.soft}>
        {overLimitCount === 0 ? 'nobody would be over a limit' : `${about}${writeOver(data)}`}
      </span>
    </>
  )
}

/** The browser asks before a page with edits is closed. */
function useLeaveWarning(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [hasChanges])
}
