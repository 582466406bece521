// PUT /v1/test-clock
import { z } from 'zod'
import { setTestClock } from '../../../operations/test-clock/set-test-clock.ts'
import { timestamp } from '../../fields.ts'
import { clockSchema, toApiClock } from '../../resources/clock.ts'
import { defineRoute } from '../../route.ts'

export const setTestClockRoute = defineRoute({
  operationId: 'setTestClock',
  method: 'PUT',
  path: '/v1/test-clock',
  access: 'write',
  tag: 'Test clock',
  summary: 'Freeze or free the test environment’s clock',
  description:
    'now: null frees it. It governs business time: periods, expiry, the times of things. Answers when all that the new time brings (renewals, ends, their webhooks) is in force, after at most 8 s with pending: true. Test keys only.',
  body: z.strictObject({ now: timestamp.nullable() }),
  responses: { 200: clockSchema },
  // The simulated provider follows the clock before this is answered.
  waitsForProvider: true,
  handle: async ({ body, context }, services) => ({
    body: toApiClock(await setTestClock(services, context, body.now)),
  }),
})
