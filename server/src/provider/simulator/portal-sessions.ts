// Portal sessions: a link to the hosted portal page, good for an hour.
import { z } from 'zod'
import { text } from './form.ts'
import { newId, type StoredPortalSession } from './objects.ts'
import { type Route, route } from './route.ts'
import { getObject, save } from './world.ts'

const hourMs = 3_600_000

const createParams = z.strictObject({
  customer: text,
  return_url: text.optional(),
  flow_data: z.strictObject({ type: z.literal('payment_method_update') }).optional(),
  configuration: text.optional(),
  locale: text.optional(),
})

export const portalSessionRoutes: Route[] = [
  route('POST', '/v1/billing_portal/sessions', createParams, async (world, _id, input) => {
    await getObject(world, 'customer', input.customer, 'customer')
    const id = newId('bps_1')
    const session: StoredPortalSession = {
      id,
      object: 'billing_portal.session',
      created: world.now,
      livemode: world.environment === 'live',
      customer: input.customer,
      return_url: input.return_url ?? null,
      url: `${world.publicUrl}/simulator/${world.environment}/portal/${id}`,
      flow: input.flow_data ?? null,
      // Real time: moving the test clock must not close a page that somebody has open.
      internal: { expiresAt: Date.now() + hourMs },
    }
    await save(world, session)
    return session
  }),
]
