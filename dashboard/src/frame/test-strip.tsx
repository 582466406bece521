// Along the whole top in test, so that nobody takes it for live.
import classes from './test-strip.module.css'

export function TestStrip() {
  return (
    <div className={classes.strip} aria-hidden>
      <span className={classes.word}>TEST</span>
    </div>
  )
}
