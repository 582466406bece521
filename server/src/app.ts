// The whole service as one value: every route on one screen, with what surrounds them.
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { dashboardRoutes } from './dashboard-routes.ts'
import type { Principal } from './domain/principal.ts'
import type { RateLimits } from './domain/rate-limit.ts'
import { listProviderCustomersRoute } from './http/api/billing/list-provider-customers.ts'
import { openPortalRoute } from './http/api/billing/open-portal.ts'
import { startCheckoutRoute } from './http/api/billing/start-checkout.ts'
import { createBonusRoute } from './http/api/bonuses/create-bonus.ts'
import { deleteBonusRoute } from './http/api/bonuses/delete-bonus.ts'
import { getBonusRoute } from './http/api/bonuses/get-bonus.ts'
import { listBonusesRoute } from './http/api/bonuses/list-bonuses.ts'
import { updateBonusRoute } from './http/api/bonuses/update-bonus.ts'
import { createCustomerRoute } from './http/api/customers/create-customer.ts'
import { createCustomerBatchRoute } from './http/api/customers/create-customer-batch.ts'
import { deleteCustomerRoute } from './http/api/customers/delete-customer.ts'
import { getCustomerRoute } from './http/api/customers/get-customer.ts'
import { listCustomersRoute } from './http/api/customers/list-customers.ts'
import { updateCustomerRoute } from './http/api/customers/update-customer.ts'
import { checkAccessRoute } from './http/api/feature-access/check-access.ts'
import { explainAccessRoute } from './http/api/feature-access/explain-access.ts'
import { getFeatureAccessRoute } from './http/api/feature-access/get-feature-access.ts'
import { archiveFeatureRoute } from './http/api/features/archive-feature.ts'
import { createFeatureRoute } from './http/api/features/create-feature.ts'
import { deleteFeatureRoute } from './http/api/features/delete-feature.ts'
import { getFeatureRoute } from './http/api/features/get-feature.ts'
import { listFeaturesRoute } from './http/api/features/list-features.ts'
import { updateFeatureRoute } from './http/api/features/update-feature.ts'
import { archiveProductRoute } from './http/api/products/archive-product.ts'
import { createCustomProductRoute } from './http/api/products/create-custom-product.ts'
import { createProductVersionRoute } from './http/api/products/create-product-version.ts'
import { deleteProductRoute } from './http/api/products/delete-product.ts'
import { getProductRoute } from './http/api/products/get-product.ts'
import { importProductsRoute } from './http/api/products/import-products.ts'
import { linkProductRoute } from './http/api/products/link-product.ts'
import { listProductVersionsRoute } from './http/api/products/list-product-versions.ts'
import { listProductsRoute } from './http/api/products/list-products.ts'
import { migrateCustomersRoute } from './http/api/products/migrate-customers.ts'
import { setFeatureAccessRoute } from './http/api/products/set-feature-access.ts'
import { updateProductRoute } from './http/api/products/update-product.ts'
import { getTestClockRoute } from './http/api/test-clock/get-test-clock.ts'
import { setTestClockRoute } from './http/api/test-clock/set-test-clock.ts'
import { amendUsageRoute } from './http/api/usage/amend-usage.ts'
import { deleteUsageRoute } from './http/api/usage/delete-usage.ts'
import { getUsageEventRoute } from './http/api/usage/get-usage-event.ts'
import { listUsageRoute } from './http/api/usage/list-usage.ts'
import { recordUsageRoute } from './http/api/usage/record-usage.ts'
import { recordUsageBatchRoute } from './http/api/usage/record-usage-batch.ts'
import { setUsageRoute } from './http/api/usage/set-usage.ts'
import { summariseUsageRoute } from './http/api/usage/summarise-usage.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { addBodyParsers } from './http/body.ts'
import { refuseBrokenRequest, refuseOddHeads } from './http/broken-requests.ts'
import { registerPages } from './http/dashboard/pages.ts'
import { registerDashboard } from './http/dashboard/register.ts'
import { addDeadline } from './http/deadline.ts'
import { registerDocuments } from './http/documents.ts'
import { handleError, isUnreadBody, sendError } from './http/errors.ts'
import { registerGuide } from './http/guide/guide-routes.ts'
import { registerHealth } from './http/health.ts'
import { measureRoutes, registerMetrics } from './http/metrics.ts'
import { registerOfrep } from './http/ofrep/ofrep-routes.ts'
import { collectMethods, replaceOddMethod } from './http/other-methods.ts'
import { registerProviderRoutes } from './http/provider-routes.ts'
import { collectLine } from './http/request-line.ts'
import { type Route, registerRoute } from './http/route.ts'
import type { ReadMetrics } from './operations/metrics/read-metrics.ts'
import type { Services } from './operations/services.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { readTrace } from './telemetry/trace.ts'

export const routes: Route[] = [
  createFeatureRoute,
  listFeaturesRoute,
  getFeatureRoute,
  updateFeatureRoute,
  archiveFeatureRoute,
  deleteFeatureRoute,
  createCustomProductRoute,
  linkProductRoute,
  importProductsRoute,
  listProductsRoute,
  getProductRoute,
  updateProductRoute,
  setFeatureAccessRoute,
  archiveProductRoute,
  deleteProductRoute,
  createProductVersionRoute,
  listProductVersionsRoute,
  migrateCustomersRoute,
  createCustomerRoute,
  createCustomerBatchRoute,
  listCustomersRoute,
  getCustomerRoute,
  updateCustomerRoute,
  deleteCustomerRoute,
  listProviderCustomersRoute,
  startCheckoutRoute,
  openPortalRoute,
  recordUsageRoute,
  recordUsageBatchRoute,
  setUsageRoute,
  listUsageRoute,
  summariseUsageRoute,
  getUsageEventRoute,
  amendUsageRoute,
  deleteUsageRoute,
  createBonusRoute,
  listBonusesRoute,
  getBonusRoute,
  updateBonusRoute,
  deleteBonusRoute,
  getFeatureAccessRoute,
  explainAccessRoute,
  checkAccessRoute,
  getTestClockRoute,
  setTestClockRoute,
]

export type AppOptions = {
  services: Services
  limits: RateLimits
  logLevel: string
  /** Tells that a key was used; kept apart because nobody waits for it. */
  noteUse(keyId: string): void
  telemetry: Telemetry
  metrics: { read: ReadMetrics; token: string | undefined }
}

export function buildApp(options: AppOptions): FastifyInstance {
  const { services, limits, logLevel, noteUse, telemetry, metrics } = options
  const app = Fastify({
    logger: { level: logLevel, stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    requestIdHeader: false,
    // Every line of a request names the trace it belongs to.
    childLoggerFactory: (logger, bindings, settings, { headers }) => {
      const trace = headers.traceparent === undefined ? undefined : readTrace(headers.traceparent)
      return logger.child(trace ? { ...bindings, traceId: trace.traceId } : bindings, settings)
    },
    bodyLimit: 1024 * 1024,
    routerOptions: { maxParamLength: 2000 },
    rewriteUrl(request) {
      replaceOddMethod(request)
      return request.url ?? '/'
    },
    // A whole request must arrive in this time, and a connection that sends nothing is cut: Fastify's defaults are open.
    requestTimeout: 10_000,
    connectionTimeout: 15_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    frameworkErrors: async (error, request, reply) => {
      try {
        if (await countRefused(request, reply)) handleError(error, request, reply)
      } catch (failure) {
        handleError(failure as Error, request, reply)
      }
    },
    clientErrorHandler: refuseBrokenRequest,
  })
  measureRoutes(app, telemetry)
  for (const name of ['caller', 'admission', 'answerText']) app.decorateRequest(name, undefined)
  addBodyParsers(app)
  const { authenticate, countRefused } = createAuthenticate({ services, limits, noteUse })
  app.setErrorHandler<Error>(async (error, request, reply) => {
    // Where the body names the customer, it is read before the key is looked up.
    const isUncounted = isUnreadBody(error) && request.caller === undefined
    if (isUncounted && !(await countRefused(request, reply))) return reply
    return handleError(error, request, reply)
  })
  app.setNotFoundHandler(async (request, reply) => {
    if (!(await countRefused(request, reply))) return reply
    return sendError(reply, 404, 'route_not_found', 'There is no such route; the reference is at /docs.')
  })
  addDeadline(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  // A connection that was busy when closing began stays open after its answer; nobody else would end it.
  app.addHook('preClose', async () => {
    services.requestLog.endWatchers()
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
    app.server.once('close', () => clearInterval(sweep))
  })
  refuseOddHeads(app, countRefused)
  const isDebugging = logLevel === 'debug' || logLevel === 'trace'
  app.addHook('onResponse', (request, reply, done) => {
    done()
    if (reply.statusCode >= 500) noteFailed(services, request)
    if (services.requestLog.isWatched) collectLine(request, reply, services)
    if (reply.statusCode < 500 && !isDebugging) return
    const line = {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      code: reply.getHeader('x-error-code'),
    }
    if (reply.statusCode >= 500) request.log.warn(line, 'answered')
    else request.log.debug(line, 'answered')
  })

  const refuseOtherMethods = collectMethods(app, countRefused)
  for (const route of routes) registerRoute(app, route, authenticate, services)
  registerOfrep(app, services, { authenticate, countRefused })
  registerDashboard({ app, ownRoutes: dashboardRoutes, publicRoutes: routes, services, countRefused })
  registerPages(app)
  registerProviderRoutes(app, services)
  registerHealth(app, services)
  registerMetrics(app, metrics.read, metrics.token)
  registerDocuments(app)
  registerGuide(app)
  refuseOtherMethods()
  return app
}

/** Counts an answer that is our fault, of whoever called with a key. */
function noteFailed({ tally }: Services, { caller }: FastifyRequest): void {
  const { actor = '' } = (caller as { principal?: Principal } | undefined)?.principal ?? {}
  if (actor.startsWith(keyActor)) tally.noteRequest(actor.slice(keyActor.length), 'failed')
}

const keyActor = 'key:'

/** Unique among instances and in time, and cheap. */
function createRequestIds(): () => string {
  const prefix = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`
  let count = 0
  return () => `req_${prefix}_${(count++).toString(36)}`
}
