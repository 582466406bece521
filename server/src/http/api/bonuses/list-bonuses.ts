// GET /v1/bonuses
import { z } from 'zod'
import { listBonuses } from '../../../operations/bonuses/list-bonuses.ts'
import { catalogueKey, customerId, page } from '../../fields.ts'
import { defaultPageSize, nameList, readCursor, writeCursor } from '../../page.ts'
import { bonusSchema, toApiBonus } from '../../resources/bonus.ts'
import { defineRoute } from '../../route.ts'

export const listBonusesRoute = defineRoute({
  operationId: 'listBonuses',
  method: 'GET',
  path: '/v1/bonuses',
  access: 'read',
  tag: 'Bonuses',
  summary: 'List a customer’s bonuses, newest first, spent and expired ones too',
  description: 'All of them, unless limit or cursor is given.',
  customer: 'query',
  query: z.strictObject({ customerId, featureKey: catalogueKey.optional(), ...page }),
  responses: {
    200: z.strictObject({ bonuses: z.array(bonusSchema), nextCursor: z.string().nullable().optional() }),
  },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const toBody = (listed: Awaited<ReturnType<typeof listBonuses>>) =>
      listed.map(({ bonus, feature: { featureKey } }) =>
        toApiBonus(bonus, { customerId: query.customerId, featureKey }),
      )
    if (query.limit === undefined && query.cursor === undefined) {
      return { body: { bonuses: toBody(await listBonuses(services, context, query)) } }
    }
    const { limit = defaultPageSize } = query
    const list = nameList('bonuses', context, query.customerId, query.featureKey)
    const position = readCursor(list, query.cursor, 'nu') as [number, string] | undefined
    const before = position && { createdAt: position[0], bonusId: position[1] }
    const found = await listBonuses(services, context, { ...query, before, limit: limit + 1 })
    const last = found[limit - 1]?.bonus
    const nextCursor = found.length > limit && last ? writeCursor(list, [last.createdAt, last.bonusId]) : null
    return { body: { bonuses: toBody(found.slice(0, limit)), nextCursor } }
  },
})
