// Portal sessions: a link to the hosted portal page, good for an hour.
import { z } from 'zod'
import { text } from '../api/form.ts'
import { type Route, route } from '../api/route.ts'
import { getObject } from '../context.ts'
import { save } from '../events/record.ts'
import { newId, type StoredPortalSession } from '../objects.ts'

const hourMs = 3_600_000

const createParams = z.strictObject({
  customer: text,
  return_url: text.optional(),
  flow_data: z.strictObject({ type: z.literal('payment_method_update') }).optional(),
  configuration: text.optional(),
  locale: text.optional(),
})

export const portalSessionRoutes: Route[] = [
  route('POST', '/v1/billing_portal/sessions', createParams, async (context, _id, input) => {
    await getObject(context, 'customer', input.customer, 'customer')
    const id = newId('bps_1')
    const session: StoredPortalSession = {
      id,
      object: 'billing_portal.session',
      created: context.now,
      livemode: context.environment === 'live',
      customer: input.customer,
      return_url: input.return_url ?? null,
      url: `${context.publicUrl}/simulator/${context.environment}/portal/${id}`,
      flow: input.flow_data ?? null,
      // Real time: moving the test clock must not close a page that somebody has open.
      internal: { expiresAt: Date.now() + hourMs },
    }
    await save(context, session)
    return session
  }),
]
