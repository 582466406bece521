// Slows down whoever guesses keys: requests without a valid one, counted per address in this process.
import { rateWindowMs } from '../domain/rate-limit.ts'

const allowedPerWindow = 200
const addressesAtMost = 10_000

export function createAddressLimit(): { isOver(address: string, now: number): boolean } {
  let windowAt = 0
  let counts = new Map<string, number>()

  /** Counts the request; true when its address has had its share of this window. */
  function isOver(address: string, now: number): boolean {
    const current = now - (now % rateWindowMs)
    if (current !== windowAt) {
      windowAt = current
      counts = new Map()
    }
    // Beyond the cap further addresses share one count, so that memory stays bounded whoever calls.
    const name = counts.has(address) || counts.size < addressesAtMost ? address : 'others'
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count > allowedPerWindow
  }

  return { isOver }
}
