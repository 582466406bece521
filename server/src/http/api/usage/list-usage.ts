// GET /v1/usage
import { z } from 'zod'
import { listUsage } from '../../../operations/usage/list-usage.ts'
import { catalogueKey, customerId, eventKey, page, queryTimestamp } from '../../fields.ts'
import { defaultPageSize, nameList, readCursor, writeCursor } from '../../page.ts'
import { eventSchema, toApiEvent } from '../../resources/usage.ts'
import { defineRoute } from '../../route.ts'

export const listUsageRoute = defineRoute({
  operationId: 'listUsage',
  method: 'GET',
  path: '/v1/usage',
  access: 'read',
  tag: 'Usage',
  summary: 'List a customer’s usage events, newest first',
  description: 'from ≤ occurredAt < to. eventKey goes with featureKey. Deleted events are absent.',
  query: z.strictObject({
    customerId,
    featureKey: catalogueKey.optional(),
    eventKey: eventKey.optional(),
    from: queryTimestamp.optional(),
    to: queryTimestamp.optional(),
    ...page,
  }),
  responses: { 200: z.strictObject({ events: z.array(eventSchema), nextCursor: z.string().nullable() }) },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const { limit = defaultPageSize } = query
    const list = nameList(
      'usage',
      context,
      query.customerId,
      query.featureKey,
      query.eventKey,
      query.from,
      query.to,
    )
    const position = readCursor(list, query.cursor, 'nn') as [number, number] | undefined
    const before = position && { occurredAt: position[0], eventNo: position[1] }
    const found = await listUsage(services, context, { ...query, before, limit: limit + 1 })
    const listed = found.slice(0, limit)
    const last = listed.at(-1)?.event
    return {
      body: {
        events: listed.map(toApiEvent),
        nextCursor: found.length > limit && last ? writeCursor(list, [last.occurredAt, last.eventNo]) : null,
      },
    }
  },
})
