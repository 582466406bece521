// An event of the ledger over all customers on the wire, and what the list is filtered by.
import { z } from 'zod'
import type { ListedEvent } from '../../operations/usage/list-events.ts'
import { catalogueKey, customerId, queryTimestamp, search } from '../fields.ts'
import { eventSchema, toApiEvent } from './usage.ts'

export const eventFilters = {
  featureKey: catalogueKey.optional(),
  productKey: catalogueKey.optional(),
  customerId: customerId.optional(),
  source: z.enum(['usage', 'usage_set_adjustment']).optional(),
  search: search.optional(),
  from: queryTimestamp.optional(),
  to: queryTimestamp.optional(),
}

export const listedEventSchema = z
  .strictObject({
    ...eventSchema.shape,
    customerName: z.string().optional(),
    productKey: z.string().optional(),
    isEdited: z.boolean(),
    isDeleted: z.boolean(),
  })
  .meta({ id: 'ListedEvent' })

export const toApiListedEvent = (listed: ListedEvent): z.input<typeof listedEventSchema> => ({
  ...toApiEvent(listed),
  customerName: listed.customerName,
  productKey: listed.productKey,
  isEdited: listed.isEdited,
  isDeleted: listed.event.deletedAt !== undefined,
})
