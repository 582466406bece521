// A service in memory for users' own tests: it speaks the API through `fetch`, and decides by the service's own rules.
import { type ErrorKind, invalid, RequestError } from '../../../server/src/domain/errors.ts'
import { Tollkeeper } from '../client.ts'
import type { Route } from '../generated/api.ts'
import type { Fetch } from '../options.ts'
import { createFeatureRoutes, createProductRoutes } from './catalogue-routes.ts'
import { createCustomerRoutes } from './customer-routes.ts'
import { createBonusRoutes, createUsageRoutes } from './ledger-routes.ts'
import type { FakeRoutes } from './routes.ts'
import { createStore, type FakeStore } from './store.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'

export type FakeService = {
  /** A client of this fake, as your code would make one of the real service. */
  client: Tollkeeper
  /** For a client that your code makes itself, with any key and address. */
  fetch: Fetch
  /** The customer buys a provider product, as if a checkout had been paid. */
  subscribe(customerId: string, productKey: string, options?: { quantity?: number }): void
  /** The subscription ends. */
  unsubscribe(customerId: string, productKey: string): void
}

const statuses: Record<ErrorKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  throttled: 429,
  provider_failed: 502,
  unavailable: 503,
}

/** `now` is the clock where none is frozen: the real one unless given. */
export function createFakeService({ now = Date.now }: { now?: () => number } = {}): FakeService {
  const store = createStore(now)
  const answer = createRouter({
    ...createFeatureRoutes(store),
    ...createProductRoutes(store),
    ...createCustomerRoutes(store),
    ...createUsageRoutes(store),
    ...createBonusRoutes(store),
    ...createClockRoutes(store),
  })
  const fetch: Fetch = async (url, init) => {
    init.signal?.throwIfAborted()
    return answer(new URL(url), init)
  }
  return {
    client: new Tollkeeper({
      apiKey: 'tk_test_fake',
      baseUrl: 'http://tollkeeper.invalid',
      fetch,
      retries: 0,
    }),
    fetch,
    subscribe: (customerId, productKey, options) => subscribe(store, customerId, productKey, options),
    unsubscribe: (customerId, productKey) => unsubscribe(store, customerId, productKey),
  }
}

function createClockRoutes(store: FakeStore): FakeRoutes {
  const read = () => ({ now: store.now(), frozen: store.frozenAt !== null })
  return {
    'GET /v1/test-clock': read,
    'PUT /v1/test-clock': ({ body }) => {
      store.frozenAt = body.now
      return read()
    },
    'POST /v1/customers/{customerId}/checkout': ({ path, body }) => {
      const product = store.catalogue().products.get(body.productKey)
      if (product?.type !== 'provider') throw invalid('productKey: only provider products are bought.')
      const part = encodeURIComponent(path.customerId)
      return { url: `http://tollkeeper.invalid/checkout/${part}/${body.productKey}`, flow: 'checkout' }
    },
    'POST /v1/customers/{customerId}/customer_portal': ({ path }) => ({
      url: `http://tollkeeper.invalid/portal/${encodeURIComponent(path.customerId)}`,
    }),
  }
}

type AnyRoute = (input: object) => unknown

function createRouter(routes: FakeRoutes): (url: URL, init: RequestInit) => Response {
  const known = (Object.entries(routes) as [Route, AnyRoute][])
    .map(([route, handle]) => {
      const [method = '', template = ''] = route.split(' ')
      const form = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
      return { method, form, handle, hasParts: template.includes('{') }
    })
    .sort((a, b) => Number(a.hasParts) - Number(b.hasParts))
  return (url, init) => {
    const found = known.find(({ method, form }) => method === init.method && form.test(url.pathname))
    if (!found) return toError(501, 'not_faked', 'The fake does not know this route.')
    const parts = Object.entries(found.form.exec(url.pathname)?.groups ?? {})
    const path = Object.fromEntries(parts.map(([name, value]) => [name, decodeURIComponent(value)]))
    const key = new Headers(init.headers).get('idempotency-key')
    const header = key === null ? {} : { 'Idempotency-Key': key }
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const input = { path, query: readQuery(url), header, ...(body === undefined ? {} : { body }) }
    try {
      return toJson(200, found.handle(input))
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      return toError(statuses[error.kind], error.code, error.message)
    }
  }
}

/** What the text in an address stands for, as the generated types say. */
function readQuery(url: URL): Record<string, unknown> {
  const numbers = ['limit', 'from', 'to', 'amount']
  return Object.fromEntries(
    [...url.searchParams].map(([name, value]) => [
      name,
      numbers.includes(name) ? Number(value) : name === 'includeArchived' ? value === 'true' : value,
    ]),
  )
}

const toJson = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'x-request-id': 'fake' } })

function toError(status: number, code: string, message: string): Response {
  const response = toJson(status, { error: message })
  response.headers.set('x-error-code', code)
  return response
}
