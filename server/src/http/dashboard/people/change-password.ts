// PUT /dashboard/api/session/password
import { z } from 'zod'
import { changePassword } from '../../../operations/people/change-password.ts'
import { password } from '../../fields.ts'
import { definePersonRoute } from '../route.ts'

export const changePasswordRoute = definePersonRoute({
  method: 'PUT',
  path: '/dashboard/api/session/password',
  access: 'own',
  tag: 'Session',
  summary: 'Change one’s own password',
  description: 'Ends the other sessions of the person.',
  body: z.strictObject({ currentPassword: password, newPassword: password }),
  responses: { 200: z.strictObject({}) },
  errors: [409],
  handle: async ({ body, context }, { database }) => {
    await changePassword(database, { ...body, ...context })
    return { body: {} }
  },
})
