// What the service's rules use and Node 20 has not got, as little of it as they use: put into the bundle of the testing entry
// in place of the language's own. A whole polyfill of Temporal is 20 KB; the rules add months to one date, and nothing else.

type MonthStart = { toZonedDateTime(zone: string): { epochMilliseconds: number } }

/** Dates at the first of a month in UTC, which is the only kind the rules make. */
export const Temporal = {
  PlainDate: function PlainDate(year: number, month: number, day: number) {
    if (day !== 1) throw new RangeError('Only the first of a month is known here.')
    return {
      add({ months }: { months: number }): MonthStart {
        // Date counts months over the ends of years by itself, backwards too; years below 100 it would take for 19xx.
        const at = new Date(0)
        at.setUTCFullYear(year, month - 1 + months, day)
        return { toZonedDateTime: () => ({ epochMilliseconds: at.getTime() }) }
      },
    }
  },
}

export function groupIntoMap<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
