// DELETE /dashboard/api/session
import { z } from 'zod'
import { signOut } from '../../../operations/people/sign-out.ts'
import { writeSessionCookie } from '../cookie.ts'
import { definePersonRoute } from '../route.ts'

export const signOutRoute = definePersonRoute({
  method: 'DELETE',
  path: '/dashboard/api/session',
  access: 'own',
  tag: 'Session',
  summary: 'Sign out',
  responses: { 200: z.strictObject({}) },
  handle: async ({ context }, { database, publicUrl }) => {
    await signOut(database, context.sessionToken)
    return { headers: { 'set-cookie': writeSessionCookie('', publicUrl()) }, body: {} }
  },
})
