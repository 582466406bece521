// POST /dashboard/api/{environment}/simulator/products
import { z } from 'zod'
import { createProduct } from '../../../operations/simulator/create-product.ts'
import { name } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

const price = z.strictObject({
  unitAmount: z.int().min(0).max(99_999_999).meta({ description: 'In the currency’s smallest unit' }),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/, { error: 'must be three small letters, like usd' })
    .meta({ example: 'usd' }),
  interval: z.enum(['day', 'week', 'month', 'year']),
  intervalCount: z.int().min(1).max(36).optional(),
  trialDays: z.int().min(1).max(730).optional(),
})

export const createProductRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/simulator/products',
  access: 'write',
  tag: 'Simulator',
  summary: 'Make a product with its prices at the simulated provider',
  description: 'The first price becomes the default one. Link the product, or import all, to sell it.',
  body: z.strictObject({ name, prices: z.array(price).min(1).max(10) }),
  responses: {
    201: z.strictObject({ providerProductId: z.string(), providerPriceIds: z.array(z.string()) }),
  },
  errors: [404, 502],
  waitsForProvider: true,
  handle: async ({ body, context }, services) => {
    const prices = body.prices.map(({ intervalCount, trialDays, ...rest }) => ({
      ...rest,
      ...(intervalCount === undefined ? {} : { intervalCount }),
      ...(trialDays === undefined ? {} : { trialDays }),
    }))
    return { body: await createProduct(services, context, { name: body.name, prices }) }
  },
})
