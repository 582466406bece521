// Portal sessions: a link to the hosted portal page, or straight to one flow of it, good for an hour.
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import { text, url } from '../api/form.ts'
import { type Route, route } from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { save } from '../events/record.ts'
import type { StoredPortalConfiguration, StoredPortalSession } from '../hosted-objects.ts'
import { newId } from '../ids.ts'
import { getDefaultConfiguration } from './configurations.ts'
import { flowParams, toFlow } from './flow.ts'

const hourMs = 3_600_000

const createParams = z.strictObject({
  customer: text,
  return_url: url.optional(),
  flow_data: flowParams.optional(),
  configuration: text.optional(),
  locale: z
    .string()
    .regex(/^(auto|[a-z]{2,3}(-([A-Z]{2}|419))?)$/, 'must be a language that the portal has')
    .optional(),
})

async function getConfiguration(
  context: Context,
  id: string | undefined,
): Promise<StoredPortalConfiguration> {
  if (id === undefined) return getDefaultConfiguration(context)
  const name = 'billing_portal.configuration'
  const found = await getObject<StoredPortalConfiguration>(context, name, id, 'configuration')
  if (found.active) return found
  throw new ApiError('The configuration is not active.', { param: 'configuration' })
}

async function createSession(
  context: Context,
  input: z.infer<typeof createParams>,
): Promise<StoredPortalSession> {
  await getObject(context, 'customer', input.customer, 'customer')
  const configuration = await getConfiguration(context, input.configuration)
  const id = newId('bps_1')
  const session: StoredPortalSession = {
    id,
    object: 'billing_portal.session',
    created: context.now,
    livemode: context.environment === 'live',
    customer: input.customer,
    configuration: configuration.id,
    return_url: input.return_url ?? configuration.default_return_url,
    locale: input.locale ?? null,
    url: `${context.publicUrl}/simulator/${context.environment}/portal/${id}`,
    flow:
      input.flow_data === undefined
        ? null
        : await toFlow(context, input.customer, configuration, input.flow_data),
    // Real time: moving the test clock must not close a page that somebody has open.
    internal: { expiresAt: Date.now() + hourMs },
  }
  await save(context, session)
  return session
}

export const portalSessionRoutes: Route[] = [
  route('POST', '/v1/billing_portal/sessions', createParams, (context, _id, input) =>
    createSession(context, input),
  ),
]
