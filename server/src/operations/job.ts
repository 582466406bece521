// A job that runs by itself, again and again, until it is closed.

export type Job = { restMs: number; wake(): void; close(): Promise<void> }

/** Works again at once while there was something to do, else after a rest or when woken. */
export function startJob(
  doing: string,
  restMs: number,
  work: () => Promise<number>,
  onError: (error: unknown, doing: string) => void,
): Job {
  let closed = false
  let woken = false
  let wakeUp = () => {}

  function wake(): void {
    woken = true
    wakeUp()
  }

  async function rest(): Promise<void> {
    if (woken || closed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, restMs)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function run(): Promise<void> {
    while (!closed) {
      woken = false
      const done = await work().catch((error) => {
        onError(error, doing)
        return 0
      })
      if (done === 0) await rest()
    }
  }

  const running = run()
  return {
    restMs,
    wake,
    close: () => {
      closed = true
      wake()
      return running
    },
  }
}
