// Portal configurations: which changes the hosted portal lets a customer make, and between which prices.
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import { bool, clearable, mergeMetadata, metadata, url } from '../api/form.ts'
import { answerList, noParams, paging, present, type Route, route } from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { save, saveAndEmit } from '../events/record.ts'
import type { PortalFeatures, StoredPortalConfiguration, UpdatableProduct } from '../hosted-objects.ts'
import { newId } from '../ids.ts'
import type { StoredPrice } from '../objects.ts'
import { type FeatureParams, featureParams, mergeFeatures, noFeatures } from './features.ts'

const clearableUrl = z.union([z.literal('').transform(() => null), url])
const fields = {
  business_profile: z
    .strictObject({
      headline: clearable.optional(),
      privacy_policy_url: clearableUrl.optional(),
      terms_of_service_url: clearableUrl.optional(),
    })
    .optional(),
  default_return_url: clearableUrl.optional(),
  login_page: z.strictObject({ enabled: bool }).optional(),
  metadata: metadata.optional(),
  name: clearable.optional(),
}
const createParams = z.strictObject({ ...fields, features: featureParams })
const updateParams = z.strictObject({
  ...fields,
  features: featureParams.optional(),
  active: bool.optional(),
})

/** Every price is active and of its product, and no product has two of one interval: the page could not tell them apart. */
async function checkProduct(context: Context, { product, prices }: UpdatableProduct, param: string) {
  await getObject(context, 'product', product, `${param}[product]`)
  const intervals = new Set<string>()
  for (const [index, id] of prices.entries()) {
    const place = `${param}[prices][${index}]`
    const price = await getObject<StoredPrice>(context, 'price', id, place)
    if (price.product !== product)
      throw new ApiError(`The price ${id} is not of ${product}.`, { param: place })
    if (!price.active || price.recurring === null) {
      throw new ApiError(`The price ${id} must be active and recurring.`, { param: place })
    }
    const interval = `${price.recurring.interval_count} ${price.recurring.interval} ${price.currency}`
    if (intervals.has(interval)) {
      throw new ApiError(
        `Prices of one product must have unique billing intervals; ${product} has several of ${interval}.`,
        { param: place },
      )
    }
    intervals.add(interval)
  }
}

async function checkFeatures(context: Context, features: PortalFeatures): Promise<void> {
  const { subscription_update: update } = features
  const param = 'features[subscription_update]'
  if (update.enabled && update.default_allowed_updates.length > 0 && update.products.length === 0) {
    throw new ApiError(`Missing required param: ${param}[products].`, {
      code: 'parameter_missing',
      param: `${param}[products]`,
    })
  }
  for (const [index, product] of update.products.entries()) {
    await checkProduct(context, product, `${param}[products][${index}]`)
  }
}

function newConfiguration(context: Context, features: PortalFeatures): StoredPortalConfiguration {
  return {
    id: newId('bpc_1'),
    object: 'billing_portal.configuration',
    created: context.now,
    livemode: context.environment === 'live',
    active: true,
    is_default: false,
    default_return_url: null,
    name: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    features,
    login_page: { enabled: false, url: null },
    metadata: {},
    updated: context.now,
  }
}

function applyFields(
  before: StoredPortalConfiguration,
  input: Omit<z.infer<typeof updateParams>, 'features'>,
  now: number,
): StoredPortalConfiguration {
  const profile = Object.fromEntries(
    Object.entries(input.business_profile ?? {}).filter(([, value]) => value !== undefined),
  )
  return {
    ...before,
    ...(input.active !== undefined && { active: input.active }),
    ...(input.name !== undefined && { name: input.name }),
    ...(input.default_return_url !== undefined && { default_return_url: input.default_return_url }),
    ...(input.login_page !== undefined && { login_page: { enabled: input.login_page.enabled, url: null } }),
    business_profile: { ...before.business_profile, ...profile },
    metadata: mergeMetadata(before.metadata, input.metadata),
    updated: now,
  }
}

async function createConfiguration(context: Context, input: z.infer<typeof createParams>) {
  const { features: wanted, ...rest } = input
  const features = mergeFeatures(noFeatures, wanted)
  await checkFeatures(context, features)
  const made = applyFields(newConfiguration(context, features), rest, context.now)
  await saveAndEmit(context, 'billing_portal.configuration.created', made)
  return made
}

async function updateConfiguration(context: Context, id: string, input: z.infer<typeof updateParams>) {
  const { features: wanted, ...rest } = input
  const before = await getObject<StoredPortalConfiguration>(context, 'billing_portal.configuration', id)
  if (before.is_default && input.active === false) {
    throw new ApiError('The default configuration cannot be deactivated.', { param: 'active' })
  }
  const features = mergeFeatures(before.features, wanted ?? {})
  if (wanted !== undefined) await checkFeatures(context, features)
  const changed = { ...applyFields(before, rest, context.now), features }
  await saveAndEmit(context, 'billing_portal.configuration.updated', changed, before)
  return changed
}

/** Without a list of products the portal offers the other prices of the product that is subscribed to. */
const everyday: FeatureParams = {
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true },
  subscription_update: {
    enabled: true,
    default_allowed_updates: ['price'],
    trial_update_behavior: 'continue_trial',
  },
}

/** What a session gets that names no configuration: made at its first use, as if saved once in the dashboard. */
export async function getDefaultConfiguration(context: Context): Promise<StoredPortalConfiguration> {
  const filter = { object: 'billing_portal.configuration', contains: { is_default: true }, limit: 1 }
  const [found] = await context.store.listObjects(filter)
  if (found !== undefined) return found as unknown as StoredPortalConfiguration
  const features = mergeFeatures(noFeatures, everyday)
  const made = { ...newConfiguration(context, features), is_default: true }
  await save(context, made)
  return made
}

const listParams = z.strictObject({ ...paging, active: bool.optional(), is_default: bool.optional() })

export const portalConfigurationRoutes: Route[] = [
  route('POST', '/v1/billing_portal/configurations', createParams, (context, _id, input) =>
    createConfiguration(context, input),
  ),
  route(
    'GET',
    '/v1/billing_portal/configurations',
    listParams,
    (context, _id, { active, is_default, ...page }) =>
      answerList(context, page, {
        object: 'billing_portal.configuration',
        ...present({ active, is_default }),
      }),
  ),
  route('GET', '/v1/billing_portal/configurations/:id', noParams, (context, id) =>
    getObject(context, 'billing_portal.configuration', id),
  ),
  route('POST', '/v1/billing_portal/configurations/:id', updateParams, updateConfiguration),
]
