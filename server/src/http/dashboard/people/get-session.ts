// GET /dashboard/api/session
import { sessionSchema, toApiSession } from '../../resources/person.ts'
import { definePersonRoute } from '../route.ts'

export const getSessionRoute = definePersonRoute({
  method: 'GET',
  path: '/dashboard/api/session',
  access: 'own',
  tag: 'Session',
  summary: 'Who is signed in, and what every page needs to know',
  responses: { 200: sessionSchema },
  handle: async ({ context }, services) => ({ body: toApiSession(context, services) }),
})
