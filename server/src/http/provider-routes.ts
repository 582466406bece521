// Where the payment provider and returning customers come in: signed webhooks, and the way back from a checkout.
import type { FastifyInstance } from 'fastify'
import { environments } from '../domain/environment.ts'
import { RequestError } from '../domain/errors.ts'
import { finishCheckout } from '../operations/billing/finish-checkout.ts'
import { receiveWebhook } from '../operations/billing/receive-webhook.ts'
import type { Services } from '../operations/services.ts'
import { ProviderError } from '../provider/provider.ts'
import { renderNotice } from './notice-page.ts'

export function registerProviderRoutes(app: FastifyInstance, services: Services): void {
  // In a scope of its own: signatures are over the very bytes that came.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    for (const environment of environments) {
      scope.post<{ Body: Buffer | undefined }>(`/provider/webhooks/${environment}`, async (request) => {
        const body = request.body ?? Buffer.alloc(0)
        await receiveWebhook(services, environment, body, request.headers)
        return { received: true }
      })
    }
  })

  app.get<{ Params: { checkoutKey: string } }>('/checkout/return/:checkoutKey', async (request, reply) => {
    request.waitsForProvider = true
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    try {
      const successUrl = await finishCheckout(services, request.params.checkoutKey)
      if (successUrl !== undefined) return reply.redirect(new URL(successUrl).href, 303)
      return renderNotice(reply, 200, 'Thank you', 'Your purchase is complete. You can close this page.')
    } catch (error) {
      if (error instanceof RequestError && error.kind === 'missing') {
        return renderNotice(reply, 404, 'Not found', 'This link is not, or no longer, valid.')
      }
      if (!(error instanceof ProviderError)) throw error
      request.log.warn({ err: error }, 'the purchase could not be confirmed yet')
      // The browser comes back by itself: a customer never returns before the purchase is known.
      reply.header('refresh', '3')
      return renderNotice(
        reply,
        503,
        'One moment',
        'Your purchase is being confirmed. This page goes on by itself.',
      )
    }
  })
}
