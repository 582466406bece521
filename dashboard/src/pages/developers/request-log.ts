// The live log as a page sees it: lines as they come over the event stream, newest first, and whether the stream is open.
import { useCallback, useEffect, useRef, useState } from 'react'
import { writeAddress } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'

export type LogLine = {
  requestId: string
  at: number
  method: string
  path: string
  route: string | null
  status: number
  ms: number
  keyId: string
  keyName: string | null
  code: string | null
  body: string | null
  answer: string | null
}

export type RequestLog = {
  lines: LogLine[]
  state: 'connecting' | 'open' | 'broken'
  /** Lines that were too many to be sent. */
  dropped: number
  isPaused: boolean
  /** Lines that came while it was paused. */
  waiting: number
  pause(): void
  resume(): void
  clear(): void
}

const keptLines = 300
// Lines of one span are shown at once, so that fifty a second are not fifty drawings.
const gatherMs = 150
const againMs = 4000

type Shown = { lines: LogLine[]; waiting: LogLine[]; dropped: number; isPaused: boolean }

const nothing: Shown = { lines: [], waiting: [], dropped: 0, isPaused: false }

const prepend = (newest: LogLine[], lines: LogLine[]): LogLine[] => [...newest, ...lines].slice(0, keptLines)

function take(shown: Shown, came: LogLine[]): Shown {
  const newest = came.toReversed()
  return shown.isPaused
    ? { ...shown, waiting: prepend(newest, shown.waiting) }
    : { ...shown, lines: prepend(newest, shown.lines) }
}

export function useRequestLog(onLine: (line: LogLine) => void): RequestLog {
  const environment = useEnvironment()
  const [shown, setShown] = useState(nothing)
  const [state, setState] = useState<RequestLog['state']>('connecting')
  const tell = useRef(onLine)
  tell.current = onLine
  useEffect(() => {
    const address = writeAddress(`/dashboard/api/${environment}`, '/requests')
    let source: EventSource
    let again: ReturnType<typeof setTimeout> | undefined
    let gathering: ReturnType<typeof setTimeout> | undefined
    let came: LogLine[] = []
    const show = () => {
      const lines = came
      came = []
      gathering = undefined
      setShown((before) => take(before, lines))
    }
    const open = () => {
      source = new EventSource(address)
      source.addEventListener('open', () => setState('open'))
      source.addEventListener('request', (event) => {
        const line = JSON.parse(event.data) as LogLine
        came.push(line)
        gathering ??= setTimeout(show, gatherMs)
        tell.current(line)
      })
      source.addEventListener('dropped', (event) => {
        const { count } = JSON.parse(event.data) as { count: number }
        setShown((before) => ({ ...before, dropped: before.dropped + count }))
      })
      source.addEventListener('error', () => {
        setState('broken')
        // A stream that was cut comes back by itself, one that was refused does not.
        if (source.readyState === EventSource.CLOSED) again = setTimeout(open, againMs)
      })
    }
    open()
    return () => {
      source.close()
      clearTimeout(again)
      clearTimeout(gathering)
    }
  }, [environment])
  const pause = useCallback(() => setShown((before) => ({ ...before, isPaused: true })), [])
  const resume = useCallback(
    () =>
      setShown((before) => ({
        ...before,
        isPaused: false,
        lines: prepend(before.waiting, before.lines),
        waiting: [],
      })),
    [],
  )
  const clear = useCallback(() => setShown((before) => ({ ...nothing, isPaused: before.isPaused })), [])
  return { ...shown, waiting: shown.waiting.length, state, pause, resume, clear }
}
