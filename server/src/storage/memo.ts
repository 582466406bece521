// Remembers the results of a function of one text, for as many texts as were asked for lately.

/**
 * In two generations: when the young one is full it becomes the old one, and what nobody asked for since is let go. For
 * functions that cost more than a look-up, such as hashing the same keys and ids with every request.
 */
export function memoize<Result>(
  compute: (text: string) => Result,
  keptAtMost: number,
): (text: string) => Result {
  let young = new Map<string, Result>()
  let old = new Map<string, Result>()
  return (text) => {
    let result = young.get(text)
    if (result !== undefined) return result
    result = old.get(text) ?? compute(text)
    if (young.size >= keptAtMost / 2) {
      old = young
      young = new Map()
    }
    young.set(text, result)
    return result
  }
}
