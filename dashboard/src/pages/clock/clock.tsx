// Test clock: what time it is in test, what will happen ahead of it, and moving it there; afterwards what changed.
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs } from '../../parts/copy-as.tsx'
import { Failure } from '../../parts/failure.tsx'
import { formatTime, formatUtc } from '../../parts/format.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { useToast } from '../../parts/toast.tsx'
import { AheadTable } from './ahead-table.tsx'
import { Changes, type Move } from './changes.tsx'
import classes from './clock.module.css'
import { Moves } from './moves.tsx'
import { TimeLine } from './time-line.tsx'

const spanMs = 92 * 86_400_000
const minuteMs = 60_000

export function Clock() {
  if (useEnvironment() === 'test') return <TestClock />
  return (
    <>
      <PageHeader title="Test clock" />
      <p className={classes.soft}>
        Time in live is the time there is: only the test environment has a clock to set.
      </p>
    </>
  )
}

function TestClock() {
  const mayWrite = useMay()
  const toast = useToast()
  const [last, setLast] = useState<Move>()
  const clock = useGet('/v1/test-clock', {}, { isLive: true })
  const now = clock.data?.now
  // To the minute, so that a clock that runs does not ask anew with every tick.
  const to = now === undefined ? undefined : Math.ceil(now / minuteMs) * minuteMs + spanMs
  const query = useMemo(() => (to === undefined ? {} : { to }), [to])
  const ahead = useGet(
    '/clock/ahead',
    { query },
    { isLive: true, isEnabled: to !== undefined, keepsPrevious: true },
  )
  const set = useChange(async (api, at: number | null) => {
    const passed = (ahead.data?.ahead ?? []).filter((mark) => at !== null && mark.at <= at)
    const answer = await api.put('/v1/test-clock', { body: { now: at } })
    return { from: now ?? answer.now, to: answer.now, passed, at: Date.now() }
  })
  const move = (at: number | null) =>
    set.mutate(at, {
      onSuccess: (moved) => {
        setLast(moved)
        toast({
          text: at === null ? 'The clock runs with real time' : `It is ${formatTime(moved.to)} in test`,
        })
      },
      onError: (error) => toast({ text: error.message, isError: true }),
    })
  const marks = ahead.data?.ahead
  return (
    <>
      <PageHeader
        title="Test clock"
        actions={
          <CopyAs
            calls={[
              {
                curl: toCurl({ method: 'PUT', path: '/v1/test-clock', body: { now: now ?? null } }),
                sdk: `await tk.testClock.set(${now ?? null})`,
              },
            ]}
          />
        }
      />
      {clock.error !== null && clock.data === undefined ? (
        <Failure error={clock.error} retry={() => void clock.refetch()} />
      ) : (
        <div className={classes.sections}>
          <div className={classes.now}>
            <time className={classes.time} title={now === undefined ? '' : formatUtc(now)}>
              {now === undefined ? '…' : formatTime(now)}
            </time>
            {clock.data !== undefined &&
              (clock.data.frozen ? (
                <Badge tone="amber">Frozen</Badge>
              ) : (
                <Badge tone="green">Runs with real time</Badge>
              ))}
            {mayWrite && clock.data?.frozen && (
              <Button variant="default" loading={set.isPending} onClick={() => move(null)}>
                Let it run
              </Button>
            )}
          </div>
          <TimeLine now={now} marks={marks} onMove={mayWrite ? move : undefined} />
          {mayWrite ? (
            <Moves now={now} next={marks?.[0]} isMoving={set.isPending} onMove={move} />
          ) : (
            <p className={classes.soft}>You may look, not move the clock.</p>
          )}
          {last !== undefined && <Changes move={last} />}
          <AheadTable query={ahead} onMove={mayWrite ? move : undefined} />
        </div>
      )}
    </>
  )
}
