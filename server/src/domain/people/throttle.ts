// How long whoever failed to sign in has to wait: nothing at first, then twice as long each time. An attempt counts before its password
// is looked at, so that many at once are no way around it.

export type Attempts = { attempts: number; lastAt: number; blockedUntil: number }

/** `free` attempts do not have to wait. */
export type ThrottleRule = { free: number; longestMs: number }

// Somebody who forgot which password it was does not notice; 300 guesses a day are the most that anybody gets.
export const accountRule: ThrottleRule = { free: 5, longestMs: 300_000 }
// People behind one address are many, and know their passwords.
export const addressRule: ThrottleRule = { free: 20, longestMs: 300_000 }

const firstMs = 1_000
export const forgottenAfterMs = 3_600_000

export type ThrottleDecision = { waitMs: number } | { counted: Attempts }

export function countAttempt(
  before: Attempts | undefined,
  rule: ThrottleRule,
  now: number,
): ThrottleDecision {
  if (before && before.blockedUntil > now) return { waitMs: before.blockedUntil - now }
  const isForgotten = !before || now - before.lastAt >= forgottenAfterMs
  const attempts = (isForgotten ? 0 : before.attempts) + 1
  return { counted: { attempts, lastAt: now, blockedUntil: now + computeWait(attempts, rule) } }
}

/** One that succeeded was none after all. */
export function takeBackAttempt(before: Attempts, rule: ThrottleRule): Attempts {
  const attempts = Math.max(0, before.attempts - 1)
  const blockedUntil = attempts < rule.free ? 0 : before.blockedUntil
  return { attempts, lastAt: before.lastAt, blockedUntil }
}

function computeWait(attempts: number, { free, longestMs }: ThrottleRule): number {
  return attempts < free ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(30, attempts - free))
}
