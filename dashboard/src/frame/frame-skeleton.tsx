// The frame before anything is known, and a page before it is loaded: the same places, empty.
import { Skeleton } from '@mantine/core'
import classes from './frame.module.css'

export function PageSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton height={28} width={180} mb={24} />
      <Skeleton height={120} mb={24} />
      <Skeleton height={240} />
    </div>
  )
}

export function FrameSkeleton() {
  return (
    <div className={classes.frame}>
      <div className={classes.side} />
      <div className={classes.main}>
        <div className={classes.content}>
          <PageSkeleton />
        </div>
      </div>
    </div>
  )
}
