// A clock on the wire.
import { z } from 'zod'
import type { TestClock } from '../../operations/test-clock/get-test-clock.ts'

export const clockSchema = z
  .strictObject({
    now: z.int(),
    frozen: z.boolean(),
    pending: z.literal(true).optional().meta({
      description: 'While not all that the time brings (renewals, ends, their webhooks) is in force',
    }),
  })
  .meta({ id: 'TestClock', description: 'The time of the test environment' })

export const toApiClock = ({ now, frozen, isPending }: TestClock): z.input<typeof clockSchema> => ({
  now,
  frozen,
  ...(isPending ? { pending: true } : {}),
})
