// GET /dashboard/api/{environment}/customers/{customerId}/timeline
import { z } from 'zod'
import { getTimeline, type TimelineKind, timelineKinds } from '../../../operations/customers/get-timeline.ts'
import { customerId, page } from '../../fields.ts'
import { defaultPageSize, nameList, readCursor, writeCursor } from '../../page.ts'
import { defineDashboardRoute } from '../route.ts'

const entrySchema = z
  .strictObject({
    kind: z.enum(timelineKinds),
    at: z.int(),
    until: z.int().optional(),
    title: z.string(),
    detail: z.string().optional(),
    actor: z.string().optional(),
    featureKey: z.string().optional(),
    amount: z.number().optional(),
    count: z.int().optional(),
    requestId: z.string().optional(),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
  })
  .meta({ id: 'TimelineEntry' })

const kindList = z
  .string()
  .regex(new RegExp(`^(${timelineKinds.join('|')})(,(${timelineKinds.join('|')}))*$`), {
    error: `must be a list, with commas, of ${timelineKinds.join(', ')}`,
  })
  .transform((text) => [...new Set(text.split(','))] as TimelineKind[])
  .meta({ description: `With commas: ${timelineKinds.join(', ')}` })

export const getTimelineRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/customers/{customerId}/timeline',
  access: 'read',
  tag: 'Customers',
  summary: 'What happened with a customer, newest first',
  description: 'Usage is grouped by feature and hour of UTC, which it is listed at; until is its last event.',
  params: z.strictObject({ customerId }),
  query: z.strictObject({ kinds: kindList.optional(), ...page }),
  responses: {
    200: z.strictObject({ entries: z.array(entrySchema), nextCursor: z.string().nullable() }),
  },
  errors: [404],
  handle: async ({ params, query, context }, services) => {
    const { limit = defaultPageSize, kinds = timelineKinds } = query
    const list = nameList('timeline', context, params.customerId, kinds)
    const [at, kindNo, no] = (readCursor(list, query.cursor, 'nns') ?? []) as Partial<
      [number, number, string]
    >
    const kind = timelineKinds[kindNo ?? -1]
    const before =
      at === undefined || no === undefined || !kind ? undefined : { at, kind, no: checkNo(kind, no) }
    const { entries, next } = await getTimeline(services, context, { ...params, kinds, before, limit })
    return {
      body: {
        entries,
        nextCursor: next ? writeCursor(list, [next.at, timelineKinds.indexOf(next.kind), next.no]) : null,
      },
    }
  },
})

/** Whatever a cursor that somebody made up says, it reaches the database in the right form. */
const checkNo = (kind: TimelineKind, no: string): string =>
  (kind === 'checkout' ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ : /^\d{1,15}$/).test(no)
    ? no
    : kind === 'checkout'
      ? '00000000-0000-0000-0000-000000000000'
      : '0'
