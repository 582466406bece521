// GET /dashboard/api/{environment}/provider
import { z } from 'zod'
import { describeProvider } from '../../../operations/provider/describe-provider.ts'
import { defineDashboardRoute } from '../route.ts'

const statusSchema = z
  .strictObject({
    mode: z.enum(['simulator', 'account', 'none']),
    dashboardUrl: z.string().optional(),
    simulatorUrl: z.string().optional(),
    webhookUrl: z.string(),
    lastEventAt: z.int().nullable(),
    lastReconciledAt: z.int().nullable(),
    inbox: z.strictObject({
      waiting: z.int(),
      failing: z.int(),
      doneToday: z.int(),
      oldestWaitingAt: z.int().nullable(),
    }),
    lagPerHour: z.array(z.strictObject({ at: z.int(), p50Ms: z.int(), maxMs: z.int(), count: z.int() })),
    catalogueImport: z.strictObject({ isRunning: z.boolean() }),
    unlinked: z.strictObject({ count: z.int() }),
  })
  .meta({ id: 'ProviderStatus' })

export const describeProviderRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/provider',
  access: 'read',
  tag: 'Provider',
  summary: 'How the environment stands with its payment provider',
  description: 'Times are real ones. lagPerHour is of the last 48 hours, by the hour of arrival.',
  responses: { 200: statusSchema },
  handle: async ({ context }, services) => {
    const { isImporting, unlinked, ...status } = await describeProvider(services, context)
    return {
      body: { ...status, catalogueImport: { isRunning: isImporting }, unlinked: { count: unlinked } },
    }
  },
})
