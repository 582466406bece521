// POST /dashboard/api/people/{personId}/link
import { z } from 'zod'
import { makeLink } from '../../../operations/people/make-link.ts'
import { thingId } from '../../fields.ts'
import { actingOf } from '../acting.ts'
import { definePersonRoute } from '../route.ts'

export const makeLinkRoute = definePersonRoute({
  method: 'POST',
  path: '/dashboard/api/people/{personId}/link',
  access: 'admin',
  tag: 'People',
  summary: 'Make a new link for a person: to join, or for a new password',
  description: 'It takes the place of those before it, works once and is shown once.',
  params: z.strictObject({ personId: thingId }),
  responses: { 201: z.strictObject({ url: z.string(), expiresAt: z.int() }) },
  errors: [404],
  handle: async ({ params, context }, { database, publicUrl }) => {
    const { path, expiresAt } = await makeLink(database, actingOf(context), params.personId)
    return { body: { url: `${publicUrl()}${path}`, expiresAt } }
  },
})
