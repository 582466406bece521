// Prices: amount, currency and interval never change; a price is only made active or inactive, named and described.
import { z } from 'zod'
import { ApiError, onlyOneOf } from '../api/errors.ts'
import { bool, clearable, integer, listOf, mergeMetadata, metadata, oneOf, text } from '../api/form.ts'
import {
  answerList,
  createdParam,
  noParams,
  paging,
  present,
  type Route,
  route,
  toCreated,
} from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { saveAndEmit } from '../events/record.ts'
import { newId } from '../ids.ts'
import type { PriceRecurring, StoredPrice, StoredProduct } from '../objects.ts'

/** Three years, as Stripe bounds it. */
const maxIntervals = { day: 1_095, week: 156, month: 36, year: 3 }

const recurring = z
  .strictObject({
    interval: oneOf('day', 'week', 'month', 'year'),
    interval_count: integer.default(1),
    usage_type: oneOf('licensed', 'metered').default('licensed'),
    meter: text.optional(),
    trial_period_days: integer.optional(),
  })
  .refine(({ interval, interval_count: count }) => count >= 1 && count <= maxIntervals[interval], {
    message: 'must be at most three years',
    path: ['interval_count'],
  })

const taxBehavior = oneOf('inclusive', 'exclusive', 'unspecified')
const fields = {
  currency: z.string().regex(/^[a-z]{3}$/i),
  unit_amount: integer.refine((amount) => amount >= 0).optional(),
  unit_amount_decimal: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,12})?$/)
    .optional(),
  recurring: recurring.optional(),
  metadata: metadata.optional(),
  tax_behavior: taxBehavior.optional(),
}
export const priceData = z.strictObject(fields)

type PriceInput = z.infer<typeof priceData> & {
  active?: boolean | undefined
  nickname?: string | null | undefined
  lookup_key?: string | undefined
}

async function toRecurring(context: Context, input: PriceInput['recurring']): Promise<PriceRecurring | null> {
  if (input === undefined) return null
  const { meter = null, trial_period_days: trialDays = null, ...rest } = input
  if (rest.usage_type === 'metered') {
    if (meter === null) {
      throw new ApiError('Metered prices must be backed by a meter: recurring[meter] is missing.', {
        code: 'parameter_missing',
        param: 'recurring[meter]',
      })
    }
    await getObject(context, 'billing.meter', meter, 'recurring[meter]')
  } else if (meter !== null) {
    throw new ApiError('Only metered prices can have a meter.', { param: 'recurring[meter]' })
  }
  return { ...rest, meter, trial_period_days: trialDays }
}

export async function createPrice(
  context: Context,
  productId: string,
  input: PriceInput,
): Promise<StoredPrice> {
  const { unit_amount: whole, unit_amount_decimal: exact } = input
  if (whole !== undefined && exact !== undefined) throw onlyOneOf('unit_amount', 'unit_amount_decimal')
  const decimal = exact ?? whole?.toString()
  if (decimal === undefined) {
    throw new ApiError('Missing required param: unit_amount.', {
      code: 'parameter_missing',
      param: 'unit_amount',
    })
  }
  const price: StoredPrice = {
    id: newId('price_1'),
    object: 'price',
    created: context.now,
    livemode: context.environment === 'live',
    active: input.active ?? true,
    product: productId,
    currency: input.currency.toLowerCase(),
    unit_amount: Number.isInteger(Number(decimal)) ? Number(decimal) : null,
    unit_amount_decimal: decimal,
    nickname: input.nickname ?? null,
    lookup_key: input.lookup_key ?? null,
    tax_behavior: input.tax_behavior ?? 'unspecified',
    type: input.recurring === undefined ? 'one_time' : 'recurring',
    recurring: await toRecurring(context, input.recurring),
    metadata: mergeMetadata({}, input.metadata),
  }
  await saveAndEmit(context, 'price.created', price)
  return price
}

const createParams = z.strictObject({
  ...fields,
  product: text,
  active: bool.optional(),
  nickname: clearable.optional(),
  lookup_key: text.optional(),
  billing_scheme: z.literal('per_unit').optional(),
})

const updateParams = z.strictObject({
  active: bool.optional(),
  nickname: clearable.optional(),
  lookup_key: text.optional(),
  metadata: metadata.optional(),
  tax_behavior: taxBehavior.optional(),
})

async function updatePrice(context: Context, id: string, input: z.infer<typeof updateParams>) {
  const price = await getObject<StoredPrice>(context, 'price', id)
  const product = await getObject<StoredProduct>(context, 'product', price.product)
  if (input.active === false && product.default_price === id) {
    throw new ApiError('This price cannot be archived because it is the default price of its product.', {
      param: 'active',
    })
  }
  const { metadata: change, ...rest } = input
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const changed = { ...price, ...given, metadata: mergeMetadata(price.metadata, change) }
  await saveAndEmit(context, 'price.updated', changed, price)
  return changed
}

const listParams = z.strictObject({
  ...paging,
  product: text.optional(),
  active: bool.optional(),
  type: oneOf('recurring', 'one_time').optional(),
  currency: text.optional(),
  created: createdParam,
  lookup_keys: listOf(text, 10).optional(),
  recurring: z
    .strictObject({
      interval: oneOf('day', 'week', 'month', 'year').optional(),
      usage_type: oneOf('licensed', 'metered').optional(),
      meter: text.optional(),
    })
    .optional(),
})

async function listPrices(context: Context, input: z.infer<typeof listParams>) {
  const { product, active, type, currency, created, lookup_keys: keys, recurring, ...page } = input
  const filter = {
    object: 'price',
    ...(product === undefined ? {} : { owner: product }),
    ...present({ active, type, currency, recurring }),
    ...toCreated(created),
  }
  if (keys === undefined) return answerList(context, page, filter)
  const found = await context.store.listObjects({ ...filter, limit: 1_000 })
  return { list: found.filter((price) => keys.includes(String(price.lookup_key))), hasMore: false }
}

export const priceRoutes: Route[] = [
  route('POST', '/v1/prices', createParams, async (context, _id, { product, ...input }) => {
    await getObject(context, 'product', product, 'product')
    return createPrice(context, product, input)
  }),
  route('GET', '/v1/prices', listParams, (context, _id, input) => listPrices(context, input)),
  route('GET', '/v1/prices/:id', noParams, (context, id) => getObject(context, 'price', id)),
  route('POST', '/v1/prices/:id', updateParams, updatePrice),
]
