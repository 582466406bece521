// Every request ends within ten seconds: whoever still waits when the time is nearly up is told so.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendError } from './errors.ts'

const deadlineMs = 9_000
const lookEveryMs = 250

/**
 * Time-outs add up — a queue, a connection, a statement, a provider's call — so they cannot promise this alone. One look over
 * all that is under way costs less than a timer for each.
 */
export function addDeadline(app: FastifyInstance): void {
  // In the order of arrival: the first that is young enough ends the look.
  const underWay = new Map<FastifyReply, number>()
  app.addHook('onRequest', (_request, reply, done) => {
    underWay.set(reply, performance.now())
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    underWay.delete(reply)
    done()
  })
  const timer = setInterval(() => {
    const latest = performance.now() - deadlineMs
    for (const [reply, startedAt] of underWay) {
      if (startedAt > latest) break
      // A body still on its way has a deadline of its own.
      if (!reply.request.raw.complete) continue
      underWay.delete(reply)
      if (!reply.sent) refuse(reply)
    }
  }, lookEveryMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

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
