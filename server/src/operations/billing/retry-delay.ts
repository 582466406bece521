// How long to wait before a failed job is tried again.

/** One second, doubled with each attempt, to half a minute: soon after the provider is back. A quarter of it by chance. */
export function computeRetryDelayMs(attempts: number): number {
  const fullMs = Math.min(30_000, 1_000 * 2 ** Math.max(0, attempts - 1))
  return Math.round(fullMs * (0.75 + Math.random() * 0.25))
}
