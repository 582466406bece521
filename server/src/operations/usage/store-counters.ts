// Stores the counters of current periods that took long to sum up, under the customer's lock.

import type { Services } from '../services.ts'
import { openBook } from './ledger-book.ts'
import type { Subject } from './ledger-entries.ts'

export async function storeCounters(
  { database, states }: Services,
  subjects: readonly Subject[],
): Promise<void> {
  const publish = await database.inTransaction(async (sql) => {
    const asks = subjects.map((subject) => ({ ...subject, keys: [] }))
    const book = await openBook(sql, asks, states)
    await book.ensureCounters(subjects.map((subject) => ({ ...subject, at: subject.now })))
    await Promise.all(await book.save())
    return () => book.publish(Math.min(...subjects.map((subject) => subject.now)))
  })
  publish()
}
