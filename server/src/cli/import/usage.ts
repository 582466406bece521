// Usage events of a file, in batches; each has a key, so that it counts once however often the file is imported.
import type { Tollkeeper, UsageBatchItem } from '@tollkeeper/sdk/src/sdk.ts'
import { type Columns, deriveKey, type ImportRecord } from './read-records.ts'
import type { Result } from './send-batches.ts'
import { readInstant, readNumber, readObject } from './values.ts'

export const usageColumns: Columns = {
  customerId: String,
  featureKey: String,
  eventKey: String,
  amount: readNumber,
  occurredAt: readInstant,
  metadata: readObject,
}

type Values = Record<string, unknown>

export function openUsageSender(remote: Tollkeeper, fileName: string) {
  return async (values: Values[], records: ImportRecord[]): Promise<Result[]> => {
    const events = values.map((each, index) => ({
      eventKey: deriveKey(fileName, records[index] as ImportRecord),
      ...each,
    }))
    const { results } = await remote.usage.recordBatch(events as unknown as UsageBatchItem[])
    return results.map((each): Result => {
      if (!each.success) return each
      const { applied, reason } = each.result
      if (applied || reason === 'duplicate_event') return { success: true, isNew: applied }
      return { success: false, error: `it was not recorded: ${reason}.`, code: reason ?? 'not_applied' }
    })
  }
}
