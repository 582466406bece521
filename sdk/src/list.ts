// Lists: read page by page while they are iterated over.
import { TollkeeperError } from './errors.ts'

export type Page<Item> = { items: Item[]; nextCursor: string | null }

/** `for await (const item of list)` reads all of it, asking for the next page when it is needed. */
export type List<Item> = AsyncIterable<Item> & {
  /** One page: the first, or the one at the cursor that the page before gave. */
  page(cursor?: string): Promise<Page<Item>>
}

export function createList<Item>(readPage: (cursor: string | undefined) => Promise<Page<Item>>): List<Item> {
  return {
    page: (cursor) => readPage(cursor),
    async *[Symbol.asyncIterator]() {
      let cursor: string | undefined
      for (;;) {
        const { items, nextCursor } = await readPage(cursor)
        yield* items
        if (nextCursor === null) return
        // A list that leads back to itself would never end.
        if (nextCursor === cursor)
          throw new TollkeeperError('The list does not go on after its cursor.', {
            status: 0,
            code: 'unreadable_answer',
          })
        cursor = nextCursor
      }
    },
  }
}

/** How many items are asked for at a time where the caller does not say: the most there can be. */
export const pageSize = 100
