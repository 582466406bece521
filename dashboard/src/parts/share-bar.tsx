// How much of a limit is used, as a small bar with its share in words beside it.
import { formatShare } from './format.ts'
import classes from './share-bar.module.css'

type Props = {
  share: number
  /** Exact, on hover: "12 of 1,000 requests". */
  words: string
}

const near = 0.8

export function ShareBar({ share, words }: Props) {
  const state = share >= 1 ? classes.over : share >= near ? classes.near : ''
  return (
    <span className={classes.share} title={words}>
      <span className={classes.bar} aria-hidden>
        <span className={`${classes.fill} ${state}`} style={{ width: `${Math.min(share, 1) * 100}%` }} />
      </span>
      <span className={classes.words}>{formatShare(share)}</span>
    </span>
  )
}
