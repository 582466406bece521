// What time it is for what is shown: the clock on the wall, or the one that the test environment was set to.
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { environmentApis } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'

const tickMs = 15_000
let wall = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times on a page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    wall = Date.now()
    for (const each of listeners) each()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The clock on the wall, some seconds exact. */
export function useRealNow(): number {
  const now = useSyncExternalStore(subscribe, () => wall)
  return Math.max(now, Date.now() - tickMs)
}

/** The environment's time, some seconds exact. */
export function useNow(): number {
  const now = useRealNow()
  return useFrozenAt() ?? now
}

/** What the clock was set to; undefined while it runs with real time. */
export function useFrozenAt(): number | undefined {
  const isTest = useEnvironment() === 'test'
  const { data } = useQuery({
    queryKey: ['test', '/v1/test-clock'],
    queryFn: () => environmentApis.test.get('/v1/test-clock'),
    enabled: isTest,
    staleTime: tickMs,
  })
  return isTest && data?.frozen ? data.now : undefined
}
