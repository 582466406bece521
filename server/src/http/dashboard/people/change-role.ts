// PUT /dashboard/api/people/{personId}
import { z } from 'zod'
import { changeRole } from '../../../operations/people/change-role.ts'
import { thingId } from '../../fields.ts'
import { personSchema, role, toApiPerson } from '../../resources/person.ts'
import { actingOf } from '../acting.ts'
import { definePersonRoute } from '../route.ts'

export const changeRoleRoute = definePersonRoute({
  method: 'PUT',
  path: '/dashboard/api/people/{personId}',
  access: 'admin',
  tag: 'People',
  summary: 'Give a person another role, from their next request on',
  params: z.strictObject({ personId: thingId }),
  body: z.strictObject({ role }),
  responses: { 200: personSchema },
  errors: [404, 409],
  handle: async ({ params, body, context }, { database }) => ({
    body: toApiPerson(await changeRole(database, actingOf(context), { ...params, ...body })),
  }),
})
