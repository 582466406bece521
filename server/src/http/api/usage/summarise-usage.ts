// GET /v1/usage/summary
import { z } from 'zod'
import { amountToNumber } from '../../../domain/amount.ts'
import { summaryIntervals } from '../../../domain/ledger/summary.ts'
import { summariseUsage } from '../../../operations/usage/summarise-usage.ts'
import { catalogueKey, customerId, queryTimestamp } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

const bucketSchema = z
  .strictObject({ start: z.int(), end: z.int(), used: z.number(), events: z.int() })
  .meta({ id: 'UsageBucket', description: 'The sum of the events of start ≤ occurredAt < end' })

export const summariseUsageRoute = defineRoute({
  operationId: 'summariseUsage',
  method: 'GET',
  path: '/v1/usage/summary',
  access: 'read',
  tag: 'Usage',
  summary: 'Sum up a customer’s usage by hour, day, week or month',
  description:
    'Spans of the UTC calendar, oldest first, empty ones too, at most 400; the first and the last are cut at from and to, so that all together are exactly what was used in between. Without from the last 30; without to up to the current one.',
  query: z.strictObject({
    customerId,
    featureKey: catalogueKey,
    interval: z.enum(summaryIntervals),
    from: queryTimestamp.optional(),
    to: queryTimestamp.optional(),
  }),
  responses: { 200: z.strictObject({ buckets: z.array(bucketSchema) }) },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const buckets = await summariseUsage(services, context, query)
    return { body: { buckets: buckets.map((each) => ({ ...each, used: amountToNumber(each.used) })) } }
  },
})
