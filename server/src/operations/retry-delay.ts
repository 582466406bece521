// How long to wait before a failed job is tried again.

/** One second, doubled with each attempt, to five minutes, a quarter of it by chance. */
export function computeRetryDelayMs(attempts: number): number {
  const fullMs = Math.min(300_000, 1_000 * 2 ** Math.max(0, attempts - 1))
  return Math.round(fullMs * (0.75 + Math.random() * 0.25))
}
