// GET /dashboard/api/links/{token}
import { z } from 'zod'
import { getLink } from '../../../operations/people/get-link.ts'
import { thingId } from '../../fields.ts'
import { defineVisitorRoute } from '../route.ts'

export const getLinkRoute = defineVisitorRoute({
  method: 'GET',
  path: '/dashboard/api/links/{token}',
  access: 'anyone',
  tag: 'Session',
  summary: 'What a link is for; looking does not use it',
  params: z.strictObject({ token: thingId }),
  responses: {
    200: z.strictObject({ kind: z.enum(['first', 'invite', 'reset']), email: z.string().nullable() }),
  },
  errors: [404],
  handle: async ({ params }, { database }) => {
    const { kind, email } = await getLink(database, params.token)
    return { body: { kind, email } }
  },
})
