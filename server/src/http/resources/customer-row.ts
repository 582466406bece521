// A row of the dashboard's list of customers on the wire, and what the list is filtered by.
import { z } from 'zod'
import type { ShownCustomerRow } from '../../operations/customers/list-customer-rows.ts'
import { catalogueKey, search } from '../fields.ts'

export const rowFilters = {
  search: search.optional(),
  productKey: catalogueKey.optional(),
  status: z.enum(['over', 'near', 'ok']).optional(),
  featureKey: catalogueKey.optional(),
  sort: z.enum(['created', 'share']).optional(),
}

export const rowSchema = z
  .strictObject({
    customerId: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    createdAt: z.int(),
    products: z.array(
      z.strictObject({
        key: z.string(),
        name: z.string(),
        status: z.string(),
        isDefault: z.boolean(),
        isAddOn: z.boolean(),
      }),
    ),
    hottest: z
      .strictObject({
        featureKey: z.string(),
        used: z.number(),
        allowance: z.number(),
        share: z.number(),
      })
      .nullable()
      .meta({ description: 'Null where nothing is limited' }),
    perDay: z.array(z.int()).length(14),
    eventsTotal14d: z.int(),
  })
  .meta({ id: 'CustomerRow' })

export const toApiRow = (row: ShownCustomerRow): z.input<typeof rowSchema> => ({
  customerId: row.customerId,
  name: row.name ?? null,
  email: row.email ?? null,
  createdAt: row.position.createdAt,
  products: row.held.map(({ product, status }) => ({
    key: product.productKey,
    name: product.name,
    status,
    isDefault: product.isDefault,
    isAddOn: product.isAddOn,
  })),
  hottest:
    row.featureKey === undefined || row.share === undefined
      ? null
      : { featureKey: row.featureKey, used: row.used, allowance: row.allowance ?? 0, share: row.share },
  perDay: row.perDay,
  eventsTotal14d: row.perDay.reduce((sum, events) => sum + events, 0),
})
