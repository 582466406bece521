// The form of the fake's routes: each takes and answers what the generated types say.
import type { Answer, CallInput } from '../call.ts'
import type { Route } from '../generated/api.ts'

/** A route that is not here is answered 501: the fake does not know it. */
export type FakeRoutes = { [R in Route]?: (input: CallInput<R>) => Answer<R> }

type Paged = { limit?: number; cursor?: string } | undefined

/** A cursor is the place in the list, which nothing in a test changes meanwhile. */
export function pageOf<Item>(
  items: readonly Item[],
  query: Paged,
): { items: Item[]; nextCursor: string | null } {
  const from = Number(query?.cursor ?? 0)
  const to = from + (query?.limit ?? 50)
  return { items: items.slice(from, to), nextCursor: to < items.length ? String(to) : null }
}

/** Newest first; of the same instant, in the order given. */
export const newestFirst = <Item>(items: readonly Item[], at: (item: Item) => number): Item[] =>
  items.toSorted((a, b) => at(b) - at(a))
