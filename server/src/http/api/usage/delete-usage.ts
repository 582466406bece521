// DELETE /v1/usage/{id}
import { z } from 'zod'
import { deleteUsage } from '../../../operations/usage/delete-usage.ts'
import { thingId } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

export const deleteUsageRoute = defineRoute({
  operationId: 'deleteUsage',
  method: 'DELETE',
  path: '/v1/usage/{id}',
  access: 'write',
  tag: 'Usage',
  summary: 'Delete a usage event',
  description: 'Its eventKey stays taken.',
  params: z.strictObject({ id: thingId }),
  responses: { 200: z.strictObject({ deletedCount: z.int() }) },
  errors: [404, 409],
  handle: async ({ params, context }, services) => {
    await deleteUsage(services, context, params.id)
    return { body: { deletedCount: 1 } }
  },
})
