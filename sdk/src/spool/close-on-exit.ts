// Closing a buffer when its process ends.
import type { UsageBuffer } from '../buffer.ts'

/**
 * Sends what a buffer holds when the process has nothing more to do or is asked to stop (SIGTERM, SIGINT), and then lets the
 * signal take its course. Returns what undoes it. A program that handles these signals itself calls `close` instead.
 */
export function closeOnExit(buffer: UsageBuffer, options: { timeoutMs?: number } = {}): () => void {
  const signals = ['SIGTERM', 'SIGINT'] as const
  const onEnd = () => void buffer.close(options)
  const onSignal = (signal: NodeJS.Signals) => {
    buffer.close(options).finally(() => {
      undo()
      process.kill(process.pid, signal)
    })
  }
  const undo = () => {
    process.off('beforeExit', onEnd)
    for (const signal of signals) process.off(signal, onSignal)
  }
  process.once('beforeExit', onEnd)
  for (const signal of signals) process.once(signal, onSignal)
  return undo
}
