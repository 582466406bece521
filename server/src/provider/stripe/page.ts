// A page of one of Stripe's lists: what to ask for, and what came.
import type { ProviderPage } from '../provider.ts'

export const pageSize = 100

export const startAfter = (cursor: string | undefined) =>
  cursor === undefined ? { limit: pageSize } : { limit: pageSize, starting_after: cursor }

export const toPage = <S extends { id: string }, T>(
  page: { data: S[]; has_more: boolean },
  map: (one: S) => T,
): ProviderPage<T> => ({
  items: page.data.map(map),
  nextCursor: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
})
