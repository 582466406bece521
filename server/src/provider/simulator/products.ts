// Products, with a default price that may be made along with them.
import { z } from 'zod'
import { ApiError } from './errors.ts'
import { bool, clearable, listOf, mergeMetadata, metadata, text } from './form.ts'
import { newId, type StoredPrice, type StoredProduct } from './objects.ts'
import { createPrice, priceData } from './prices.ts'
import { answerList, noParams, paging, present, type Route, route } from './route.ts'
import { findObject, getLiving, getObject, listOwned, save, saveAndEmit, type World } from './world.ts'

const createParams = z.strictObject({
  id: z
    .string()
    .regex(/^\w[\w-]{0,99}$/)
    .optional(),
  name: text.min(1),
  active: bool.default(true),
  description: clearable.optional(),
  metadata: metadata.optional(),
  default_price_data: priceData.optional(),
})

export async function createProduct(
  world: World,
  input: z.infer<typeof createParams>,
): Promise<StoredProduct> {
  const id = input.id ?? newId('prod_', 14)
  if (input.id !== undefined && (await findObject(world, 'product', id)) !== undefined) {
    throw new ApiError('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  }
  const product: StoredProduct = {
    id,
    object: 'product',
    created: world.now,
    livemode: world.environment === 'live',
    active: input.active,
    name: input.name,
    description: input.description ?? null,
    default_price: null,
    metadata: mergeMetadata({}, input.metadata),
    updated: world.now,
  }
  await save(world, product)
  if (input.default_price_data !== undefined) {
    product.default_price = (await createPrice(world, product.id, input.default_price_data)).id
  }
  await saveAndEmit(world, 'product.created', product)
  return product
}

const updateParams = z.strictObject({
  name: text.min(1).optional(),
  active: bool.optional(),
  description: clearable.optional(),
  metadata: metadata.optional(),
  default_price: clearable.optional(),
})

async function updateProduct(world: World, id: string, input: z.infer<typeof updateParams>) {
  const product = await getLiving<StoredProduct>(world, 'product', id)
  if (input.default_price) {
    const price = await getObject<StoredPrice>(world, 'price', input.default_price, 'default_price')
    if (price.product !== id) {
      throw new ApiError("The price specified is not this product's.", { param: 'default_price' })
    }
  }
  const { metadata: change, ...rest } = input
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const changed: StoredProduct = {
    ...product,
    ...given,
    metadata: mergeMetadata(product.metadata, change),
    updated: world.now,
  }
  await saveAndEmit(world, 'product.updated', changed, product)
  return changed
}

async function deleteProduct(world: World, id: string) {
  const product = await getLiving<StoredProduct>(world, 'product', id)
  if ((await listOwned<StoredPrice>(world, 'price', id)).length > 0) {
    throw new ApiError('This product cannot be deleted because it has one or more user-created prices.')
  }
  await saveAndEmit(world, 'product.deleted', product)
  const deleted = { id, object: 'product', created: product.created, deleted: true }
  await save(world, deleted)
  return deleted
}

async function listProducts(world: World, input: z.infer<typeof listParams>) {
  const { active, ids, ...page } = input
  if (ids === undefined) return answerList(world, page, { object: 'product', ...present({ active }) })
  const found = await Promise.all(ids.map((id) => findObject<StoredProduct>(world, 'product', id)))
  const list = found.filter((product) => product !== undefined)
  return { list: list.filter((product) => active === undefined || product.active === active), hasMore: false }
}

const listParams = z.strictObject({ ...paging, active: bool.optional(), ids: listOf(text).optional() })

export const productRoutes: Route[] = [
  route('POST', '/v1/products', createParams, (world, _id, input) => createProduct(world, input)),
  route('GET', '/v1/products', listParams, (world, _id, input) => listProducts(world, input)),
  route('GET', '/v1/products/:id', noParams, (world, id) => getLiving(world, 'product', id)),
  route('POST', '/v1/products/:id', updateParams, updateProduct),
  route('DELETE', '/v1/products/:id', noParams, deleteProduct),
]
