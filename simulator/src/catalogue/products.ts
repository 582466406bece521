// Products, with a default price that may be made along with them.
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import { bool, clearable, ignored, listOf, mergeMetadata, metadata, text } from '../api/form.ts'
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
import { type Context, findObject, getLiving, getObject, listOwned } from '../context.ts'
import { save, saveAndEmit } from '../events/record.ts'
import { newId } from '../ids.ts'
import type { StoredPrice, StoredProduct } from '../objects.ts'
import { createPrice, priceData } from './prices.ts'

const fields = {
  description: clearable.optional(),
  metadata: metadata.optional(),
  images: listOf(text, 8).optional(),
  url: clearable.optional(),
  unit_label: clearable.optional(),
  statement_descriptor: text.max(22).optional(),
  shippable: bool.optional(),
  marketing_features: ignored,
  package_dimensions: ignored,
  tax_code: ignored,
}
const ignoredFields = ['marketing_features', 'package_dimensions', 'tax_code']

const createParams = z.strictObject({
  ...fields,
  id: z
    .string()
    .regex(/^\w[\w-]{0,99}$/)
    .optional(),
  name: text.min(1),
  active: bool.default(true),
  default_price_data: priceData.optional(),
  type: z.literal('service').optional(),
})

async function createProduct(context: Context, input: z.infer<typeof createParams>): Promise<StoredProduct> {
  const id = input.id ?? newId('prod_', 14)
  if (input.id !== undefined && (await findObject(context, 'product', id)) !== undefined) {
    throw new ApiError('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  }
  const product: StoredProduct = {
    id,
    object: 'product',
    created: context.now,
    livemode: context.environment === 'live',
    active: input.active,
    name: input.name,
    description: input.description ?? null,
    default_price: null,
    metadata: mergeMetadata({}, input.metadata),
    images: input.images ?? [],
    url: input.url ?? null,
    unit_label: input.unit_label ?? null,
    statement_descriptor: input.statement_descriptor ?? null,
    shippable: input.shippable ?? null,
    updated: context.now,
  }
  await save(context, product)
  if (input.default_price_data !== undefined) {
    product.default_price = (await createPrice(context, product.id, input.default_price_data)).id
  }
  await saveAndEmit(context, 'product.created', product)
  return product
}

const updateParams = z.strictObject({
  ...fields,
  name: text.min(1).optional(),
  active: bool.optional(),
  default_price: clearable.optional(),
})

async function checkDefaultPrice(context: Context, productId: string, priceId: string): Promise<void> {
  const price = await getObject<StoredPrice>(context, 'price', priceId, 'default_price')
  if (price.product === productId && price.active) return
  const reason = price.active
    ? "The price specified is not this product's."
    : 'A default price must be active.'
  throw new ApiError(reason, { param: 'default_price' })
}

async function updateProduct(context: Context, id: string, input: z.infer<typeof updateParams>) {
  const product = await getLiving<StoredProduct>(context, 'product', id)
  if (input.default_price) await checkDefaultPrice(context, id, input.default_price)
  const { metadata: change, ...rest } = input
  const given = Object.fromEntries(
    Object.entries(rest).filter(([name, value]) => value !== undefined && !ignoredFields.includes(name)),
  )
  const changed: StoredProduct = {
    ...product,
    ...given,
    metadata: mergeMetadata(product.metadata, change),
    updated: context.now,
  }
  await saveAndEmit(context, 'product.updated', changed, product)
  return changed
}

async function deleteProduct(context: Context, id: string) {
  const product = await getLiving<StoredProduct>(context, 'product', id)
  if ((await listOwned<StoredPrice>(context, 'price', id)).length > 0) {
    throw new ApiError('This product cannot be deleted because it has one or more user-created prices.')
  }
  await saveAndEmit(context, 'product.deleted', product)
  const deleted = { id, object: 'product', created: product.created, deleted: true }
  await save(context, deleted)
  return deleted
}

const listParams = z.strictObject({
  ...paging,
  active: bool.optional(),
  ids: listOf(text).optional(),
  created: createdParam,
})

async function listProducts(context: Context, { active, ids, created, ...page }: z.infer<typeof listParams>) {
  if (ids === undefined) {
    return answerList(context, page, { object: 'product', ...present({ active }), ...toCreated(created) })
  }
  const found = await Promise.all(ids.map((id) => findObject<StoredProduct>(context, 'product', id)))
  const list = found.filter((product) => product !== undefined && !('deleted' in product)) as StoredProduct[]
  return { list: list.filter((product) => active === undefined || product.active === active), hasMore: false }
}

export const productRoutes: Route[] = [
  route('POST', '/v1/products', createParams, (context, _id, input) => createProduct(context, input)),
  route('GET', '/v1/products', listParams, (context, _id, input) => listProducts(context, input)),
  route('GET', '/v1/products/:id', noParams, (context, id) => getLiving(context, 'product', id)),
  route('POST', '/v1/products/:id', updateParams, updateProduct),
  route('DELETE', '/v1/products/:id', noParams, deleteProduct),
]
