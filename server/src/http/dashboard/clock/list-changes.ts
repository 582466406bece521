// GET /dashboard/api/test/clock/changes
import { z } from 'zod'
import { listChanges } from '../../../operations/clock/list-changes.ts'
import { queryTimestamp } from '../../fields.ts'
import { auditEntrySchema } from '../../resources/audit-entry.ts'
import { defineDashboardRoute } from '../route.ts'

export const listChangesRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/test/clock/changes',
  access: 'read',
  tag: 'Test clock',
  summary: 'What was changed in a span of time, newest first',
  description: 'At most 200 entries of the audit log, both ends of the span included.',
  query: z.strictObject({ from: queryTimestamp, to: queryTimestamp }),
  responses: { 200: z.strictObject({ entries: z.array(auditEntrySchema) }) },
  handle: async ({ query, context }, services) => ({
    body: { entries: await listChanges(services, context, query) },
  }),
})
