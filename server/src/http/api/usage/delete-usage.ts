// DELETE /v1/usage/{id}
import { z } from 'zod'
import { deleteUsage } from '../../../operations/usage/edit-usage.ts'
import { thingId } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

export const deleteUsageRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/usage/{id}',
  tag: 'Usage',
  summary: 'Delete a usage event',
  description: 'Its eventKey stays taken.',
  params: z.strictObject({ id: thingId }),
  responses: { 200: z.strictObject({ deletedCount: z.int() }) },
  errors: [404, 409],
  handle: async ({ params, caller }, services) => {
    await deleteUsage(services, caller, params.id)
    return { body: { deletedCount: 1 } }
  },
})
