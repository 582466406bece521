// Steps that change or read the catalogue, as calls.
import type { Call, Of } from './model-call.ts'
import type { Access } from './model-steps.ts'

export function toEntries(access: Access) {
  return Object.entries(access).flatMap(([featureKey, allowed]) => {
    if (allowed === undefined || allowed === 'none') return []
    if (allowed === 'denied') return [{ featureKey, hasAccess: false }]
    if (featureKey === 'flag') return [{ featureKey, hasAccess: true }]
    if (allowed === 'unlimited') return [{ featureKey, hasAccess: true, isUnlimited: true as const }]
    return [{ featureKey, hasAccess: true, limit: allowed }]
  })
}

type CatalogueStep = Of<
  | 'create feature'
  | 'delete feature'
  | 'archive feature'
  | 'unarchive feature'
  | 'change feature'
  | 'set access'
  | 'new version'
  | 'migrate'
  | 'archive product'
  | 'unarchive product'
  | 'make default'
  | 'unmake default'
  | 'make add-on'
  | 'unmake add-on'
  | 'count units'
  | 'count no units'
  | 'delete product'
  | 'read product'
>

export function toCatalogueCall(step: CatalogueStep): Call {
  if ('featureKey' in step) return toFeatureCall(step)
  const { productKey } = step
  const path = `/v1/products/${productKey}`
  switch (step.do) {
    case 'set access': {
      const body = { featureAccess: toEntries(step.access) }
      const ask: Call['ask'] = (model) => model.setFeatureAccess(productKey, body)
      return { method: 'PUT', path: `${path}/feature-access`, body, ask }
    }
    case 'read product':
      return { method: 'GET', path, ask: (model) => model.getProduct(productKey) }
    case 'new version':
      return { method: 'POST', path: `${path}/versions`, ask: (model) => model.createVersion(productKey) }
    case 'migrate':
      return {
        method: 'POST',
        path: `${path}/migrate`,
        body: {},
        ask: (model) => model.migrate(productKey, {}),
      }
    case 'archive product':
    case 'unarchive product': {
      const body = { archived: step.do === 'archive product' }
      const ask: Call['ask'] = (model) => model.archiveProduct(productKey, body)
      return { method: 'POST', path: `${path}/archive`, body, ask }
    }
    case 'delete product':
      return { method: 'DELETE', path, ask: (model) => model.deleteProduct(productKey) }
    default: {
      const body = productChanges[step.do]
      return { method: 'PUT', path, body, ask: (model) => model.updateProduct(productKey, body) }
    }
  }
}

const productChanges = {
  'make default': { isDefault: true },
  'unmake default': { isDefault: false },
  'make add-on': { isAddOn: true },
  'unmake add-on': { isAddOn: false },
  'count units': { limitsPerUnit: true },
  'count no units': { limitsPerUnit: false },
}

function toFeatureCall(step: Extract<CatalogueStep, { featureKey: string }>): Call {
  const { featureKey } = step
  const path = `/v1/features/${featureKey}`
  switch (step.do) {
    case 'create feature': {
      const body = {
        featureKey,
        name: featureKey,
        type: featureKey === 'flag' ? ('boolean' as const) : ('limit' as const),
        ...(featureKey === 'cap' ? { tracksUsage: false } : {}),
      }
      return { method: 'POST', path: '/v1/features', body, ask: (model) => model.createFeature(body) }
    }
    case 'delete feature':
      return { method: 'DELETE', path, ask: (model) => model.deleteFeature(featureKey) }
    case 'change feature': {
      const { do: _do, featureKey: _featureKey, ...body } = step
      return { method: 'PUT', path, body, ask: (model) => model.updateFeature(featureKey, body) }
    }
    default: {
      const body = { archived: step.do === 'archive feature' }
      const ask: Call['ask'] = (model) => model.archiveFeature(featureKey, body)
      return { method: 'POST', path: `${path}/archive`, body, ask }
    }
  }
}
