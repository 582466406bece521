// GET /v1/test-clock
import { getTestClock } from '../../../operations/test-clock/get-test-clock.ts'
import { clockSchema, toApiClock } from '../../resources/clock.ts'
import { defineRoute } from '../../route.ts'

export const getTestClockRoute = defineRoute({
  operationId: 'getTestClock',
  method: 'GET',
  path: '/v1/test-clock',
  access: 'read',
  tag: 'Test clock',
  summary: 'Read the test environment’s clock',
  responses: { 200: clockSchema },
  errors: [403],
  handle: async ({ context }, services) => ({ body: toApiClock(await getTestClock(services, context)) }),
})
