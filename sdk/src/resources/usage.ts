// Usage events: recorded exactly once per event key, set, corrected and read.
import type { Answer, Call } from '../call.ts'
import type { Operations, UsageBucket, UsageEvent, UsageResult, UsageSetResult } from '../generated/api.ts'
import type { FeatureKey, Keyed, TrackedFeatureKey } from '../keys.ts'
import { createList, type List, pageSize } from '../list.ts'
import type { CallOptions } from '../options.ts'

/** The same fields with `eventKey` optional: one is made before the first try, so that retries cannot count twice. */
type Unkeyed<Fields extends { eventKey: string }> = Omit<Fields, 'eventKey'> & { eventKey?: string }

export type NewUsage = Unkeyed<Keyed<Operations['POST /v1/usage']['body'], TrackedFeatureKey>>
export type UsageBatchItem = Unkeyed<
  Keyed<Operations['POST /v1/usage/batch']['body']['events'][number], TrackedFeatureKey>
>
export type UsageBatchResult = Answer<'POST /v1/usage/batch'>
export type UsageSetting = Unkeyed<Keyed<Operations['POST /v1/usage/set']['body'], TrackedFeatureKey>>
export type UsageAmendment = NonNullable<Operations['PUT /v1/usage/{id}']['body']>
export type UsageQuery = Omit<Keyed<Operations['GET /v1/usage']['query'], FeatureKey>, 'cursor'>
export type SummaryQuery = Keyed<Operations['GET /v1/usage/summary']['query'], TrackedFeatureKey>
export type DeletedUsage = Answer<'DELETE /v1/usage/{id}'>

export const makeKey = (): string => crypto.randomUUID()

export function createUsage(call: Call) {
  return {
    /** Records usage. Over the limit it is recorded all the same, unless `enforceLimit` is true. */
    async record(usage: NewUsage, options?: CallOptions): Promise<UsageResult> {
      const body = { ...usage, eventKey: usage.eventKey ?? makeKey() }
      const { answer, tries } = await call('POST /v1/usage', { body }, { ...options, isRepeatable: true })
      return usage.eventKey === undefined && tries > 1 ? asFirst(answer) : answer
    },

    /** Records up to 100 events; each succeeds or fails by itself, and the results have their order. */
    async recordBatch(events: UsageBatchItem[], options?: CallOptions): Promise<UsageBatchResult> {
      const body = { events: events.map((event) => ({ ...event, eventKey: event.eventKey ?? makeKey() })) }
      const { answer, tries } = await call(
        'POST /v1/usage/batch',
        { body },
        { ...options, isRepeatable: true },
      )
      if (tries === 1) return answer
      const results = answer.results.map((each, index) =>
        each.success && events[index]?.eventKey === undefined
          ? { ...each, result: asFirst(each.result) }
          : each,
      )
      return { ...answer, results }
    },

    /** Makes the current period's usage this number, by an adjustment that is recorded beside the events. */
    async set(setting: UsageSetting, options?: CallOptions): Promise<UsageSetResult> {
      const body = { ...setting, eventKey: setting.eventKey ?? makeKey() }
      const { answer, tries } = await call('POST /v1/usage/set', { body }, { ...options, isRepeatable: true })
      return setting.eventKey === undefined && tries > 1 ? asFirst(answer) : answer
    },

    /** A customer's events, newest first; `limit` is the size of a page. */
    list(query: UsageQuery, options?: CallOptions): List<UsageEvent> {
      return createList(async (cursor) => {
        const page = { limit: pageSize, ...query, ...(cursor === undefined ? {} : { cursor }) }
        const { answer } = await call('GET /v1/usage', { query: page }, options)
        return { items: answer.events, nextCursor: answer.nextCursor }
      })
    },

    /** Usage by hour, day, week or month in UTC, oldest first, empty ones included: for charts. */
    async summary(query: SummaryQuery, options?: CallOptions): Promise<UsageBucket[]> {
      return (await call('GET /v1/usage/summary', { query }, options)).answer.buckets
    },

    async get(id: string, options?: CallOptions): Promise<UsageEvent> {
      return (await call('GET /v1/usage/{id}', { path: { id } }, options)).answer
    },

    /** Corrects an event; every period it touches follows at once. */
    async amend(id: string, amendment: UsageAmendment, options?: CallOptions): Promise<UsageEvent> {
      return (await call('PUT /v1/usage/{id}', { path: { id }, body: amendment }, options)).answer
    },

    /** Takes an event back; its event key stays taken. */
    async delete(id: string, options?: CallOptions): Promise<DeletedUsage> {
      return (await call('DELETE /v1/usage/{id}', { path: { id } }, options)).answer
    },
  }
}

/** Nobody else has a key made for this call: what a later try finds as a duplicate is what an earlier one applied. */
function asFirst<Result extends UsageResult>(result: Result): Result {
  if (result.reason !== 'duplicate_event') return result
  const { reason: _, ...applied } = result
  return { ...applied, applied: true } as Result
}
