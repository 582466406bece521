// Who gets into a key's window: requests in their order, 1000 of them, 500 of those writes unless configured otherwise.

export const rateWindowMs = 10_000

/** `all: 0` switches the limiter off. */
export type RateLimits = { all: number; write: number }

/** How many asked to get in during the window, refused ones included. */
export type WindowCount = { reads: number; writes: number }

export type RateDecision = { accepted: boolean; allLeft: number; writeLeft: number }

/**
 * Counting who asked is enough to know who got in: writes beyond their limit never enter the window of all requests, and
 * a window that is full stays full until it ends. So the stored count is a plain sum, and a refusal counts nowhere.
 */
export function decideRate(before: WindowCount, isWrite: boolean, limits: RateLimits): RateDecision {
  const enteredBefore = before.reads + Math.min(before.writes, limits.write)
  const accepted = enteredBefore < limits.all && (!isWrite || before.writes < limits.write)
  return {
    accepted,
    allLeft: Math.max(0, limits.all - enteredBefore - (accepted ? 1 : 0)),
    writeLeft: Math.max(0, limits.write - before.writes - (accepted && isWrite ? 1 : 0)),
  }
}
