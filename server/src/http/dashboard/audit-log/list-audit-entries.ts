// GET /dashboard/api/{environment}/audit-log
import { z } from 'zod'
import { listAuditEntries } from '../../../operations/audit-log/list-audit-entries.ts'
import { page, search } from '../../fields.ts'
import { defaultPageSize, nameList, readCursor, writeCursor } from '../../page.ts'
import { auditEntrySchema } from '../../resources/audit-entry.ts'
import { defineDashboardRoute } from '../route.ts'

const filter = search.min(1).optional()

export const listAuditEntriesRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/audit-log',
  access: 'read',
  tag: 'Audit log',
  summary: 'List what was changed by whom, newest first',
  description:
    'action is a whole one (key.create) or its noun (key). Changes of people are in the logs of both environments.',
  query: z.strictObject({ actor: filter, action: filter, subject: filter, ...page }),
  responses: {
    200: z.strictObject({ entries: z.array(auditEntrySchema), nextCursor: z.string().nullable() }),
  },
  handle: async ({ query, context }, services) => {
    const { actor, action, subject, limit = defaultPageSize } = query
    const list = nameList('audit-log', context, actor, action, subject)
    const [after] = (readCursor(list, query.cursor, 'n') ?? []) as [number?]
    const wanted = { actor, action, subject, after, limit }
    const { entries, next } = await listAuditEntries(services, context, wanted)
    return { body: { entries, nextCursor: next === undefined ? null : writeCursor(list, [next]) } }
  },
})
