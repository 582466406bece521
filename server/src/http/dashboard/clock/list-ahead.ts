// GET /dashboard/api/test/clock/ahead
import { z } from 'zod'
import { listAhead } from '../../../operations/clock/list-ahead.ts'
import { queryTimestamp } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

const aheadSchema = z
  .strictObject({
    at: z.int(),
    kind: z.enum(['reset', 'renewal', 'trial_end', 'bonus_expiry', 'cancellation']),
    customerId: z.string(),
    text: z.string(),
  })
  .meta({ id: 'Ahead' })

export const listAheadRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/test/clock/ahead',
  access: 'read',
  tag: 'Test clock',
  summary: 'What time will bring to customers, soonest first',
  description:
    'Up to the instant given, or 31 days ahead: of each reset, renewal, end of a trial, of a bonus or of what was cancelled, the next. At most 200. Customers whose subscriptions or bonuses change next are looked at, and the newest 200.',
  query: z.strictObject({ to: queryTimestamp.optional() }),
  responses: {
    200: z.strictObject({
      now: z.int(),
      isFrozen: z.boolean(),
      ahead: z.array(aheadSchema),
      isCut: z.boolean().meta({ description: 'There may be more than is listed' }),
    }),
  },
  handle: async ({ query, context }, services) => ({ body: await listAhead(services, context, query.to) }),
})
