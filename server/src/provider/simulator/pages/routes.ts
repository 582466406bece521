// The addresses of the hosted pages. Who has a session's link may use it, as with the provider's own pages.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Environment, environments } from '../../../domain/environment.ts'
import type { HandlerOptions } from '../handler.ts'
import { createCheckoutRoutes } from './checkout-routes.ts'
import { contentSecurityPolicy } from './layout.ts'
import { createPortalRoutes } from './portal-routes.ts'

export type PageOptions = Pick<HandlerOptions, 'inWorld' | 'readWorld'>

export function isEnvironment(name: string): name is Environment {
  return environments.some((environment) => environment === name)
}

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .send(page)
}

/** The first value of each field; forms of these pages are flat. */
export type FormBody = Record<string, string | undefined>

export function createPages(options: PageOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      async (_request: unknown, body: string | Buffer): Promise<FormBody> =>
        Object.fromEntries(new URLSearchParams(body.toString())),
    )
    createCheckoutRoutes(app, options)
    createPortalRoutes(app, options)
  }
}
