// Chance that a seed repeats.

export type Chance = {
  /** From 0 to below 1. */
  next(): number
  /** Whole, from 0 to below the limit. */
  upTo(limit: number): number
  is(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of the values, each as likely as its weight. */
  weigh<T>(weighted: readonly (readonly [weight: number, value: T])[]): T
}

/** mulberry32: small, and the same everywhere. */
export function createChance(seed: number): Chance {
  let a = seed | 0
  const next = () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const upTo = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    upTo,
    is: (probability) => next() < probability,
    pick: (list) => list[upTo(list.length)] as (typeof list)[number],
    weigh: (weighted) => {
      let left = next() * weighted.reduce((total, [weight]) => total + weight, 0)
      const found = weighted.find(([weight]) => {
        left -= weight
        return left < 0
      })
      return (found ?? weighted[0])?.[1] as (typeof weighted)[number][1]
    },
  }
}
