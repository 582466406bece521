// GET /dashboard/api/{environment}/bonus-rows
import { z } from 'zod'
import { listBonusRows } from '../../../operations/bonuses/list-bonus-rows.ts'
import { catalogueKey, customerId, page } from '../../fields.ts'
import { defaultPageSize, nameList, readCursor, writeCursor } from '../../page.ts'
import { bonusSchema, toApiBonus } from '../../resources/bonus.ts'
import { defineDashboardRoute } from '../route.ts'

const rowSchema = z
  .strictObject({ ...bonusSchema.shape, customerName: z.string().optional() })
  .meta({ id: 'BonusRow' })

export const listBonusRowsRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/bonus-rows',
  access: 'read',
  tag: 'Bonuses',
  summary: 'List bonuses of all customers, newest first',
  description: 'expiring ones are open and expire within fourteen days.',
  query: z.strictObject({
    state: z.enum(['open', 'expiring', 'used', 'expired']).optional(),
    featureKey: catalogueKey.optional(),
    customerId: customerId.optional(),
    ...page,
  }),
  responses: { 200: z.strictObject({ bonuses: z.array(rowSchema), nextCursor: z.string().nullable() }) },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const { limit = defaultPageSize, state, featureKey, customerId: ofCustomer } = query
    const list = nameList('bonus-rows', context, state, featureKey, ofCustomer)
    const [createdAt, bonusId] = (readCursor(list, query.cursor, 'nu') ?? []) as Partial<[number, string]>
    const before = createdAt === undefined || bonusId === undefined ? undefined : { createdAt, bonusId }
    const found = await listBonusRows(services, context, { ...query, before, limit: limit + 1 })
    const listed = found.slice(0, limit)
    const last = listed.at(-1)?.bonus
    return {
      body: {
        bonuses: listed.map(({ bonus, customerId: id, customerName, feature }) => ({
          ...toApiBonus(bonus, { customerId: id, featureKey: feature.featureKey }),
          customerName,
        })),
        nextCursor: found.length > limit && last ? writeCursor(list, [last.createdAt, last.bonusId]) : null,
      },
    }
  },
})
