// POST /dashboard/api/people
import { z } from 'zod'
import { invitePerson } from '../../../operations/people/invite-person.ts'
import { email } from '../../fields.ts'
import { personSchema, role, toApiPerson } from '../../resources/person.ts'
import { actingOf } from '../acting.ts'
import { definePersonRoute } from '../route.ts'

export const invitePersonRoute = definePersonRoute({
  method: 'POST',
  path: '/dashboard/api/people',
  access: 'admin',
  tag: 'People',
  summary: 'Invite a person; the link in the answer is shown once and lasts seven days',
  body: z.strictObject({ email, role }),
  responses: { 201: z.strictObject({ person: personSchema, inviteUrl: z.string() }) },
  errors: [409],
  handle: async ({ body, context }, { database, publicUrl }) => {
    const { person, link } = await invitePerson(database, actingOf(context), body)
    return { body: { person: toApiPerson(person), inviteUrl: `${publicUrl()}${link.path}` } }
  },
})
