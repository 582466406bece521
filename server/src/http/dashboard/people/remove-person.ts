// DELETE /dashboard/api/people/{personId}
import { z } from 'zod'
import { removePerson } from '../../../operations/people/remove-person.ts'
import { thingId } from '../../fields.ts'
import { actingOf } from '../acting.ts'
import { definePersonRoute } from '../route.ts'

export const removePersonRoute = definePersonRoute({
  method: 'DELETE',
  path: '/dashboard/api/people/{personId}',
  access: 'admin',
  tag: 'People',
  summary: 'Remove a person; their sessions end at once',
  params: z.strictObject({ personId: thingId }),
  responses: { 200: z.strictObject({}) },
  errors: [404, 409],
  handle: async ({ params, context }, { database }) => {
    await removePerson(database, actingOf(context), params.personId)
    return { body: {} }
  },
})
