// A loop that works once per tick, sooner when woken, never twice at a time, and ends with its work done.

type Loop = { start(): void; wake(): void; close(): Promise<void> }

export function createLoop(tickMs: number, work: (tick: number) => Promise<void>): Loop {
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined
  let isRunning = false
  let isWoken = false
  let tick = 0

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    if (isRunning) timer = setTimeout(run, delayMs)
  }

  function run(): void {
    isWoken = false
    // What fails is tried again at the next tick: the database may be away for a while.
    underWay = work(tick++)
      .catch(() => {})
      .finally(() => {
        underWay = undefined
        schedule(isWoken ? 0 : tickMs)
      })
  }

  return {
    start() {
      isRunning = true
      schedule(0)
    },
    wake() {
      if (!isRunning) return
      isWoken = true
      if (underWay === undefined) schedule(0)
    },
    async close() {
      isRunning = false
      clearTimeout(timer)
      await underWay
    },
  }
}
