// Every request ends in time: within five seconds, or ten where the payment provider is asked. Whoever still waits when that
// is nearly up is told so.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendError } from './errors.ts'

const lookEveryMs = 100
// Below 5 s by one look and by what a busy process takes to send the answer.
const deadlineMs = 4_250
// Above the 8.3 s that calls of the provider may take together, whose own words say more.
const providerDeadlineMs = 9_000

/**
 * Time-outs add up — a queue, a connection, a statement, a provider's call — so they cannot promise this alone. One look over
 * all that is under way costs less than a timer for each.
 */
export function addDeadline(app: FastifyInstance): void {
  const underWay = new Map<FastifyReply, number>()
  app.decorateRequest('waitsForProvider', false)
  app.addHook('onRequest', (_request, reply, done) => {
    underWay.set(reply, performance.now())
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    underWay.delete(reply)
    done()
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [reply, startedAt] of underWay) {
      // Time that the caller takes to send has a deadline of its own.
      if (isArriving(reply)) underWay.set(reply, now)
      else if (now - startedAt >= limitOf(reply)) {
        underWay.delete(reply)
        // What began to be answered goes on: a stream ends by itself.
        if (!reply.sent && !reply.raw.headersSent) refuse(reply)
      }
    }
  }, lookEveryMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** While nobody reads the body, because the key is still being looked up, it is not the caller who is slow. */
const isArriving = ({ request: { raw } }: FastifyReply): boolean =>
  !raw.complete && raw.readableFlowing === true

const limitOf = ({ request }: FastifyReply): number =>
  request.waitsForProvider ? providerDeadlineMs : deadlineMs

function refuse(reply: FastifyReply): void {
  reply.request.log.warn({ route: reply.request.routeOptions.url }, 'took too long')
  reply.header('retry-after', '1')
  sendError(
    reply,
    503,
    'took_too_long',
    'This took too long; it may or may not have been done. Try again shortly.',
  )
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by handlers that ask the payment provider: they are given its time. */
    waitsForProvider: boolean
  }
}
