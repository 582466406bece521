// Chance that comes out the same every time: numbers that follow from a seed alone.

export type Chance = {
  /** From 0 up to, not including, 1. */
  next(): number
  /** Between two numbers. */
  between(least: number, most: number): number
  isLucky(probability: number): boolean
}

export function createChance(seed: string): Chance {
  let state = hash(seed)
  // Mulberry32: 32 bits of state, even enough for a picture.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    isLucky: (probability) => next() < probability,
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value
}
