// POST /dashboard/api/links/{token}
import { z } from 'zod'
import { acceptLink } from '../../../operations/people/accept-link.ts'
import { email, name, password, thingId } from '../../fields.ts'
import { sessionSchema, toApiSession } from '../../resources/person.ts'
import { writeSessionCookie } from '../cookie.ts'
import { defineVisitorRoute } from '../route.ts'

export const acceptLinkRoute = defineVisitorRoute({
  method: 'POST',
  path: '/dashboard/api/links/{token}',
  access: 'anyone',
  tag: 'Session',
  summary: 'Use a link: choose a password and be signed in',
  description: 'The first link asks for an email too; one for a new password takes no name.',
  params: z.strictObject({ token: thingId }),
  body: z.strictObject({ email: email.optional(), name: name.optional(), password }),
  responses: { 200: sessionSchema },
  errors: [404],
  handle: async ({ params, body, context }, services) => {
    const { database, publicUrl } = services
    const { requestId } = context
    const signedIn = await acceptLink(database, { ...body, token: params.token, requestId })
    const headers = { 'set-cookie': writeSessionCookie(signedIn.sessionToken, publicUrl()) }
    return { headers, body: toApiSession(signedIn, services) }
  },
})
