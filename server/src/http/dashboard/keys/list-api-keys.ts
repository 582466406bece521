// GET /dashboard/api/{environment}/keys
import { z } from 'zod'
import { listApiKeys } from '../../../operations/keys/list-api-keys.ts'
import { defineDashboardRoute } from '../route.ts'

const keySchema = z
  .strictObject({
    keyId: z.string(),
    name: z.string(),
    scope: z.enum(['full', 'read']),
    lastFour: z.string(),
    source: z.enum(['created', 'configured']),
    createdAt: z.int(),
    expiresAt: z.int().nullable(),
    revokedAt: z.int().nullable(),
    lastUsedAt: z.int().nullable(),
    requests10s: z.int().meta({ description: 'In the window of the moment, writes included' }),
    writes10s: z.int(),
  })
  .meta({ id: 'ApiKey' })

export const listApiKeysRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/keys',
  access: 'read',
  tag: 'Keys',
  summary: 'List the API keys, newest first, with the use of their limits',
  responses: {
    200: z.strictObject({
      keys: z.array(keySchema),
      limits: z.strictObject({ all: z.int(), write: z.int() }).meta({
        description: 'Requests and writes in ten seconds; 0 is no limit',
      }),
    }),
  },
  handle: async ({ context }, services) => {
    const keys = await listApiKeys(services, context)
    const shown = keys.map(({ environment: _environment, ...key }) => key)
    return { body: { keys: shown, limits: services.installation.limits } }
  },
})
