// Along the whole top in test, so that nobody takes it for live.
import classes from './test-strip.module.css'

export function TestStrip() {
  return (
    <>
      <div className={classes.strip} aria-hidden />
      <div className={classes.word} aria-hidden>
        TEST
      </div>
    </>
  )
}
