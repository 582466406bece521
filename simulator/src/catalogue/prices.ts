// Prices: amount, currency and interval never change; a price is only made active or inactive, named and described.
import { z } from 'zod'
import { bool, clearable, integer, mergeMetadata, metadata, text } from '../api/form.ts'
import { answerList, noParams, paging, present, type Route, route } from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { saveAndEmit } from '../events/record.ts'
import { newId, type StoredPrice } from '../objects.ts'

const recurring = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: integer.refine((count) => count >= 1 && count <= 1_095).default(1),
})

const fields = {
  currency: z.string().regex(/^[a-z]{3}$/i),
  unit_amount: integer.refine((amount) => amount >= 0).optional(),
  unit_amount_decimal: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,12})?$/)
    .optional(),
  recurring: recurring.optional(),
  metadata: metadata.optional(),
}
export const priceData = z.strictObject(fields)

type PriceInput = z.infer<typeof priceData> & {
  active?: boolean | undefined
  nickname?: string | null | undefined
  lookup_key?: string | undefined
}

export async function createPrice(
  context: Context,
  productId: string,
  input: PriceInput,
): Promise<StoredPrice> {
  const decimal = input.unit_amount_decimal ?? input.unit_amount?.toString() ?? null
  const isWhole = decimal !== null && Number.isInteger(Number(decimal))
  const price: StoredPrice = {
    id: newId('price_1'),
    object: 'price',
    created: context.now,
    livemode: context.environment === 'live',
    active: input.active ?? true,
    product: productId,
    currency: input.currency.toLowerCase(),
    unit_amount: isWhole ? Number(decimal) : null,
    unit_amount_decimal: decimal,
    nickname: input.nickname ?? null,
    lookup_key: input.lookup_key ?? null,
    type: input.recurring === undefined ? 'one_time' : 'recurring',
    recurring: input.recurring ?? null,
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
})

const updateParams = z.strictObject({
  active: bool.optional(),
  nickname: clearable.optional(),
  lookup_key: text.optional(),
  metadata: metadata.optional(),
})

const listParams = z.strictObject({
  ...paging,
  product: text.optional(),
  active: bool.optional(),
  type: z.enum(['recurring', 'one_time']).optional(),
  currency: text.optional(),
})

export const priceRoutes: Route[] = [
  route('POST', '/v1/prices', createParams, async (context, _id, { product, ...input }) => {
    await getObject(context, 'product', product, 'product')
    return createPrice(context, product, input)
  }),
  route('GET', '/v1/prices', listParams, (context, _id, { product, active, type, currency, ...page }) =>
    answerList(context, page, {
      object: 'price',
      ...(product === undefined ? {} : { owner: product }),
      ...present({ active, type, currency }),
    }),
  ),
  route('GET', '/v1/prices/:id', noParams, (context, id) => getObject(context, 'price', id)),
  route('POST', '/v1/prices/:id', updateParams, async (context, id, { metadata: change, ...rest }) => {
    const price = await getObject<StoredPrice>(context, 'price', id)
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
    const changed = { ...price, ...given, metadata: mergeMetadata(price.metadata, change) }
    await saveAndEmit(context, 'price.updated', changed, price)
    return changed
  }),
]
