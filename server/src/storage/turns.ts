// Turns for work that may wait for a lock: one at a time by name, and few at once in all. Whoever waits for one thing then takes
// one connection, not as many as there are callers, and the pool is never empty for others.
import { overloaded } from '../domain/errors.ts'

export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>

export function createTurns({ atOnce, waitingAtMost }: { atOnce: number; waitingAtMost: number }): Turns {
  /** By name: ends when everybody who came before has had a turn. */
  const ends = new Map<string, Promise<unknown>>()
  const queue: (() => void)[] = []
  let underWay = 0
  let present = 0

  async function enter(): Promise<void> {
    if (underWay < atOnce) underWay++
    else await new Promise<void>((resolve) => queue.push(resolve))
  }

  function leave(): void {
    const next = queue.shift()
    if (next) next()
    else underWay--
  }

  return async (name, work) => {
    if (present >= waitingAtMost) throw overloaded()
    present++
    let finish = () => {}
    const own = new Promise<void>((resolve) => {
      finish = resolve
    })
    const before = ends.get(name)
    const end = before ? before.then(() => own) : own
    ends.set(name, end)
    try {
      await before
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    } finally {
      present--
      finish()
      if (ends.get(name) === end) ends.delete(name)
    }
  }
}
