// How an operation is called from a shell and with the SDK: ready to copy, with the key in $TOLLKEEPER_API_KEY.
import { requestExamples } from './request-examples.ts'

type Parameter = {
  name: string
  in: string
  required?: boolean
  schema: { examples?: unknown[]; enum?: unknown[] }
}

type Called = { method: string; path: string; operationId: string; parameters: Parameter[] }

export type CodeSample = { lang: string; label: string; source: string }

const body = (operationId: string) => writeLiteral(requestExamples[operationId])

/** As a person would write it: names without quotes, strings in single ones. */
const writeLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll("'", "\\'")
    .replaceAll('"', "'")

const eventId = "'2Vq8tT1mXo5bZr3nKcYwLs'"
const bonusId = "'8f2b6c1e-4d7a-4f0e-9b3c-5a1d2e3f4a5b'"
const each = (list: string, use: string) => `for await (const item of ${list}) {\n  console.log(${use})\n}`

const calls: Record<string, () => string> = {
  createFeature: () => `await tk.features.create(${body('createFeature')})`,
  listFeatures: () => each('tk.features.list()', 'item.featureKey'),
  getFeature: () => "await tk.features.get('api_calls')",
  updateFeature: () => `await tk.features.update('api_calls', ${body('updateFeature')})`,
  archiveFeature: () => `await tk.features.archive('api_calls', ${body('archiveFeature')})`,
  deleteFeature: () => "await tk.features.delete('api_calls')",
  createCustomProduct: () => `await tk.products.createCustom(${body('createCustomProduct')})`,
  linkProduct: () => `await tk.products.link(${body('linkProduct')})`,
  importProducts: () => 'await tk.products.sync()',
  listProducts: () => each("tk.products.list({ type: 'custom' })", 'item.key'),
  getProduct: () => "await tk.products.get('pro')",
  updateProduct: () => `await tk.products.update('enterprise', ${body('updateProduct')})`,
  setFeatureAccess: () =>
    `await tk.products.setFeatureAccess('pro', ${writeLiteral((requestExamples.setFeatureAccess as { featureAccess: unknown }).featureAccess)})`,
  archiveProduct: () => "await tk.products.archive('pro')",
  deleteProduct: () => "await tk.products.delete('pro')",
  createProductVersion: () => "await tk.products.createVersion('pro')",
  listProductVersions: () => each("tk.products.listVersions('pro')", 'item.version'),
  migrateCustomers: () => `await tk.products.migrate('pro', ${body('migrateCustomers')})`,
  createCustomer: () => `await tk.customers.create(${body('createCustomer')})`,
  createCustomerBatch: () =>
    `await tk.customers.createBatch(${writeLiteral((requestExamples.createCustomerBatch as { customers: unknown }).customers)})`,
  listProviderCustomers: () => each('tk.customers.listAtProvider()', 'item.providerCustomerId'),
  listCustomers: () => each("tk.customers.list({ search: 'acm' })", 'item.customerId'),
  getCustomer: () => "await tk.customers.get('acme')",
  updateCustomer: () => `await tk.customers.update('acme', ${body('updateCustomer')})`,
  deleteCustomer: () => "await tk.customers.delete('acme')",
  startCheckout: () => `const { url } = await tk.checkout('acme', ${body('startCheckout')})`,
  openPortal: () => `const { url } = await tk.portal('acme', ${body('openPortal')})`,
  recordUsage: () =>
    "const { allowed } = await tk.consume('acme', 'api_calls', 3, { eventKey: 'req-7f3a' })\n\n// What has happened already is recorded over the limit, too:\nawait tk.track('acme', 'api_calls', 3, { eventKey: 'req-7f3a' })",
  recordUsageBatch: () =>
    `await tk.usage.recordBatch(${writeLiteral((requestExamples.recordUsageBatch as { events: unknown }).events)})`,
  setUsage: () => `await tk.usage.set(${body('setUsage')})`,
  listUsage: () =>
    each("tk.usage.list({ customerId: 'acme', featureKey: 'api_calls' })", 'item.id, item.amount'),
  summariseUsage: () =>
    "await tk.usage.summary({ customerId: 'acme', featureKey: 'api_calls', interval: 'day' })",
  getUsageEvent: () => `await tk.usage.get(${eventId})`,
  amendUsage: () => `await tk.usage.amend(${eventId}, ${body('amendUsage')})`,
  deleteUsage: () => `await tk.usage.delete(${eventId})`,
  createBonus: () => `await tk.bonuses.create(${body('createBonus')})`,
  listBonuses: () => each("tk.bonuses.list({ customerId: 'acme' })", 'item.remainingAmount'),
  getBonus: () => `await tk.bonuses.get(${bonusId})`,
  updateBonus: () => `await tk.bonuses.update(${bonusId}, ${body('updateBonus')})`,
  deleteBonus: () => `await tk.bonuses.delete(${bonusId})`,
  getFeatureAccess: () => "const { api_calls } = await tk.access('acme')",
  explainAccess: () => "await tk.featureAccess.explain('acme', 'api_calls')",
  checkAccess: () => "const { allowed, reason } = await tk.check('acme', 'api_calls', { amount: 3 })",
  getTestClock: () => 'await tk.testClock.get()',
  setTestClock: () => `await tk.testClock.set(${(requestExamples.setTestClock as { now: number }).now})`,
}

const exampleOf = ({ schema }: Parameter): string =>
  encodeURIComponent(String(schema.examples?.[0] ?? schema.enum?.[0] ?? ''))

/** An address with the examples of what it must have. */
function toAddress({ path, parameters }: Called): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (all, name) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return parameter ? exampleOf(parameter) : all
  })
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${exampleOf(one)}`)
  return `$TOLLKEEPER_URL${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

function toCurl(called: Called): string {
  const example = requestExamples[called.operationId]
  const lines = [
    called.method === 'GET'
      ? `curl "${toAddress(called)}"`
      : `curl -X ${called.method} "${toAddress(called)}"`,
    '-H "x-api-key: $TOLLKEEPER_API_KEY"',
    ...(example
      ? ["-H 'content-type: application/json'", `-d '${JSON.stringify(example).replaceAll("'", `'\\''`)}'`]
      : []),
  ]
  return lines.join(' \\\n  ')
}

/** What the SDK has no method for is shown as curl alone. */
export function writeCodeSamples(called: Called): CodeSample[] {
  const sdk = calls[called.operationId]
  return [
    { lang: 'Shell', label: 'curl', source: toCurl(called) },
    ...(sdk ? [{ lang: 'TypeScript', label: 'SDK', source: sdk() }] : []),
  ]
}
