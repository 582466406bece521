// Meters, which metered prices are backed by. Usage is not simulated: a metered item is charged nothing.
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import { oneOf, text } from '../api/form.ts'
import { answerList, noParams, paging, type Route, route } from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { saveAndEmit } from '../events/record.ts'
import { newId } from '../ids.ts'

const createParams = z.strictObject({
  display_name: text.min(1),
  event_name: text.min(1).max(100),
  default_aggregation: z.strictObject({ formula: oneOf('sum', 'count', 'last') }),
  customer_mapping: z.strictObject({ type: z.literal('by_id'), event_payload_key: text }).optional(),
  event_time_window: oneOf('day', 'hour').optional(),
  value_settings: z.strictObject({ event_payload_key: text }).optional(),
})

async function createMeter(context: Context, input: z.infer<typeof createParams>) {
  const { event_name: name } = input
  const same = { object: 'billing.meter', contains: { event_name: name, status: 'active' }, limit: 1 }
  if ((await context.store.listObjects(same)).length > 0) {
    throw new ApiError(`An active meter already exists for event name ${name}.`, { param: 'event_name' })
  }
  const meter = {
    id: newId('mtr_test_'),
    object: 'billing.meter',
    created: context.now,
    livemode: context.environment === 'live',
    customer_mapping: input.customer_mapping ?? { type: 'by_id', event_payload_key: 'stripe_customer_id' },
    default_aggregation: input.default_aggregation,
    display_name: input.display_name,
    event_name: name,
    event_time_window: input.event_time_window ?? null,
    status: 'active',
    status_transitions: { deactivated_at: null },
    updated: context.now,
    value_settings: input.value_settings ?? { event_payload_key: 'value' },
  }
  await saveAndEmit(context, 'billing.meter.created', meter)
  return meter
}

const listParams = z.strictObject({ ...paging, status: oneOf('active', 'inactive').optional() })

export const meterRoutes: Route[] = [
  route('POST', '/v1/billing/meters', createParams, (context, _id, input) => createMeter(context, input)),
  route('GET', '/v1/billing/meters', listParams, (context, _id, { status, ...page }) =>
    answerList(context, page, {
      object: 'billing.meter',
      ...(status === undefined ? {} : { statuses: [status] }),
    }),
  ),
  route('GET', '/v1/billing/meters/:id', noParams, (context, id) => getObject(context, 'billing.meter', id)),
]
