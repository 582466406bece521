// POST /v1/products/{productKey}/migrate
import { z } from 'zod'
import { amountToNumber } from '../../../domain/amount.ts'
import type { FeatureAccessEntry } from '../../../domain/catalogue/catalogue.ts'
import { migrateCustomers } from '../../../operations/products/migrate-customers.ts'
import { catalogueKey, customerId } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

const entrySchema = z
  .strictObject({
    hasAccess: z.boolean(),
    limit: z.number().optional(),
    isUnlimited: z.boolean().optional(),
  })
  .meta({ id: 'VersionAccess', description: 'What a version gives of a feature' })

const changeSchema = z
  .strictObject({
    fromVersion: z.int(),
    featureKey: z.string(),
    customers: z.int(),
    loses: z.boolean(),
    before: entrySchema,
    after: entrySchema,
  })
  .meta({ id: 'MigrationChange', description: 'What differs for the holders of one version in one feature' })

function toApiEntry(entry: FeatureAccessEntry | undefined): z.input<typeof entrySchema> {
  if (!entry?.hasAccess) return { hasAccess: false }
  if (entry.isUnlimited) return { hasAccess: true, isUnlimited: true }
  return { hasAccess: true, ...(entry.limit === undefined ? {} : { limit: amountToNumber(entry.limit) }) }
}

export const migrateCustomersRoute = defineRoute({
  operationId: 'migrateCustomers',
  method: 'POST',
  path: '/v1/products/{productKey}/migrate',
  access: 'write',
  tag: 'Products',
  summary: 'Move customers to the latest version of a product',
  description:
    'changes says what differs for the holders of each version, and how many would lose what. A dry run moves nobody.',
  params: z.strictObject({ productKey: catalogueKey }),
  body: z.strictObject({
    fromVersion: z.int().min(1).optional(),
    customerIds: z.array(customerId).min(1).max(1000).optional(),
    dryRun: z.boolean().optional(),
  }),
  responses: { 200: z.strictObject({ migrated: z.int(), changes: z.array(changeSchema) }) },
  errors: [404],
  handle: async ({ params, body, context }, services) => {
    const { migrated, changes } = await migrateCustomers(services, context, params.productKey, body)
    const toApiChange = ({ before, after, ...change }: (typeof changes)[number]) => ({
      ...change,
      before: toApiEntry(before),
      after: toApiEntry(after),
    })
    return { body: { migrated, changes: changes.map(toApiChange) } }
  },
})
