// A key as it is shown once, when it is made.
import { z } from 'zod'

export const madeKeySchema = z.strictObject({ keyId: z.string(), secret: z.string() }).meta({ id: 'MadeKey' })
