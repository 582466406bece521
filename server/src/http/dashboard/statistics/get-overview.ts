// GET /dashboard/api/{environment}/overview
import { z } from 'zod'
import { getOverview } from '../../../operations/statistics/get-overview.ts'
import { defineDashboardRoute } from '../route.ts'

const noticeSchema = z.strictObject({
  kind: z.enum(['over_limit', 'near_limit', 'past_due', 'provider_event', 'unlinked_customer']),
  customerId: z.string().optional(),
  customerName: z.string().optional(),
  featureKey: z.string().optional(),
  used: z.number().optional(),
  allowance: z.number().optional(),
  at: z.int().optional(),
  text: z.string(),
})

const perHour = z.array(z.int()).length(24)

export const getOverviewRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/overview',
  access: 'read',
  tag: 'Statistics',
  summary: 'Today’s figures, what needs attention, and the first steps',
  description: 'Days and hours are those of UTC. Everything recorded before asOf is in the figures.',
  responses: {
    200: z.strictObject({
      asOf: z.int(),
      figures: z.strictObject({
        eventsToday: z.strictObject({ value: z.int(), perHour }),
        activeCustomers: z.strictObject({ value: z.int(), perDay: z.array(z.int()).length(14) }),
        refusedToday: z.strictObject({ value: z.int(), perHour }),
        customers: z.strictObject({ value: z.int() }),
      }),
      attention: z.array(noticeSchema).max(20),
      refusals: z.array(z.strictObject({ featureKey: z.string(), reason: z.string(), count: z.int() })),
      checklist: z.strictObject({
        hasCustomer: z.boolean(),
        hasKey: z.boolean(),
        hasEvent: z.boolean(),
        hasProvider: z.boolean(),
      }),
    }),
  },
  handle: async ({ context }, services) => {
    const overview = await getOverview(services, context)
    const attention = overview.attention.map(({ kind, ...notice }) => ({
      kind: kind === 'overdue' ? 'past_due' : kind,
      ...notice,
    }))
    return { body: { ...overview, attention } }
  },
})
