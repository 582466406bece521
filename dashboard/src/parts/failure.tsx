// What is shown where something could not be read: the service's sentence, the request to look for in the log, and retry.
import { Button } from '@mantine/core'
import { ApiError } from '../api/error.ts'
import classes from './failure.module.css'
import { Id } from './id.tsx'

export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <div className={classes.failure} role="alert">
      <p className={classes.sentence}>{error.message}</p>
      {requestId !== undefined && (
        <p className={classes.request}>
          Request <Id value={requestId} />
        </p>
      )}
      {retry !== undefined && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}
