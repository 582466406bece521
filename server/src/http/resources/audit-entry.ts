// An entry of the log of changes on the wire.
import { z } from 'zod'

export const auditEntrySchema = z
  .strictObject({
    entryNo: z.int(),
    at: z.int(),
    actor: z.string(),
    action: z.string(),
    subject: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    requestId: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' })
