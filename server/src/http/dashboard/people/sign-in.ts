// POST /dashboard/api/session
import { z } from 'zod'
import { signIn } from '../../../operations/people/sign-in.ts'
import { email, password } from '../../fields.ts'
import { sessionSchema, toApiSession } from '../../resources/person.ts'
import { writeSessionCookie } from '../cookie.ts'
import { defineVisitorRoute } from '../route.ts'

export const signInRoute = defineVisitorRoute({
  method: 'POST',
  path: '/dashboard/api/session',
  access: 'anyone',
  tag: 'Session',
  summary: 'Sign in with email and password',
  description:
    'After some attempts that failed, an account and an address have to wait: 429 with retry-after.',
  body: z.strictObject({ email, password }),
  responses: { 200: sessionSchema },
  handle: async ({ body, context }, services) => {
    const { database, publicUrl } = services
    const signedIn = await signIn(database, {
      ...body,
      address: context.address,
      previousToken: context.sessionToken,
    })
    const headers = { 'set-cookie': writeSessionCookie(signedIn.sessionToken, publicUrl()) }
    return { headers, body: toApiSession(signedIn, services) }
  },
})
