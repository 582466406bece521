// POST /dashboard/api/{environment}/provider/compare
import { z } from 'zod'
import { compareProvider } from '../../../operations/provider/compare-provider.ts'
import { cursor } from '../../fields.ts'
import { nameList, readCursor, writeCursor } from '../../page.ts'
import { defineDashboardRoute } from '../route.ts'

const differenceSchema = z
  .strictObject({
    kind: z.enum(['customer', 'product']),
    id: z.string(),
    text: z.string(),
    field: z.string().optional(),
    ours: z.string().optional(),
    theirs: z.string().optional(),
  })
  .meta({ id: 'ProviderDifference' })

export const compareProviderRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/provider/compare',
  access: 'read',
  tag: 'Provider',
  summary: 'Find where the provider has something else than is stored here',
  description:
    'At most 50 customers a call, fewer when the provider is slow; the first call, without a cursor, compares all products as well. Nothing is changed.',
  body: z.strictObject({ cursor: cursor.optional() }),
  responses: {
    200: z.strictObject({
      differences: z.array(differenceSchema),
      customers: z.int().meta({ description: 'How many customers were looked at' }),
      nextCursor: z.string().nullable(),
    }),
  },
  errors: [502],
  waitsForProvider: true,
  handle: async ({ body, context }, services) => {
    const list = nameList('compare', context)
    const [after] = (readCursor(list, body.cursor, 'u') ?? []) as [string?]
    const { differences, customers, next } = await compareProvider(services, context, after)
    const nextCursor = next === undefined ? null : writeCursor(list, [next])
    return { body: { differences, customers, nextCursor } }
  },
})
