// A clock on the wire.
import { z } from 'zod'

export const clockSchema = z.strictObject({ now: z.int(), frozen: z.boolean() }).meta({ id: 'TestClock' })
