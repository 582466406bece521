// Along the whole top in test, so that nobody takes it for live, nor a clock that was set for the time of day.
import { formatTime } from '../parts/format.ts'
import { useFrozenAt } from '../parts/now.ts'
import classes from './test-strip.module.css'

export function TestStrip() {
  const frozenAt = useFrozenAt()
  return (
    <>
      <div className={classes.strip} aria-hidden />
      <div className={classes.word} aria-hidden>
        TEST{frozenAt === undefined ? '' : ` · ${formatTime(frozenAt)}`}
      </div>
    </>
  )
}
