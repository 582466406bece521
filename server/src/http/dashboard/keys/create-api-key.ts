// POST /dashboard/api/{environment}/keys
import { z } from 'zod'
import { createApiKey } from '../../../operations/keys/api-keys.ts'
import { name, timestamp } from '../../fields.ts'
import { actingOf } from '../acting.ts'
import { defineDashboardRoute } from '../route.ts'
import { madeKeySchema } from './made-key.ts'

export const createApiKeyRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/keys',
  access: 'keys',
  tag: 'Keys',
  summary: 'Make an API key; its secret is shown once',
  body: z.strictObject({ name, scope: z.enum(['full', 'read']), expiresAt: timestamp.nullish() }),
  responses: { 201: madeKeySchema },
  handle: async ({ body, context }, { database }) => {
    const { environment } = context.principal
    const key = { ...body, environment, expiresAt: body.expiresAt ?? null }
    return { body: await createApiKey(database, actingOf(context), key) }
  },
})
