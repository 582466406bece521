// At most so many a second: a bucket that is full again after one.
export function createBucket(perSecond: number): { take(now: number): boolean } {
  let left = perSecond
  let filledAt = 0
  return {
    take: (now) => {
      left = Math.min(perSecond, left + (Math.max(0, now - filledAt) / 1_000) * perSecond)
      filledAt = now
      if (left < 1) return false
      left--
      return true
    },
  }
}
