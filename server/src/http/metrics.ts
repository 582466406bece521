// /metrics for Prometheus: for whoever has the token, or, while there is none, for this machine alone.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReadMetrics } from '../operations/metrics/read-metrics.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { sendError } from './errors.ts'

/** Before any route is registered: each route then counts its own answers. */
export function measureRoutes(app: FastifyInstance, telemetry: Telemetry): void {
  const unknown = telemetry.answered('any', 'none')
  app.addHook('onRoute', (route) => {
    const method = typeof route.method === 'string' ? route.method : 'other'
    const answered = telemetry.answered(method, route.url)
    const own = [route.onResponse ?? []].flat()
    route.onResponse = [
      ...own,
      (_request, reply, done) => {
        answered(reply.statusCode, reply.elapsedTime)
        done()
      },
    ]
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) unknown(reply.statusCode, reply.elapsedTime)
    done()
  })
}

export function registerMetrics(app: FastifyInstance, read: ReadMetrics, token: string | undefined): void {
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, token)) {
      return token === undefined
        ? sendError(reply, 403, 'metrics_closed', 'Metrics are for this machine alone; set METRICS_TOKEN.')
        : sendError(reply, 401, 'unauthorized', 'Metrics need Authorization: Bearer and METRICS_TOKEN.')
    }
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await read())
  })
}

const loopback = /^(127\.|::1$|::ffff:127\.)/

/** What a proxy on this machine passes on is somebody else's. */
function mayRead({ headers, socket }: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) return isSame(headers.authorization ?? '', `Bearer ${token}`)
  const isPassedOn = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => name in headers)
  return loopback.test(socket.remoteAddress ?? '') && !isPassedOn
}

/** Takes as long whatever is guessed. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const digest = (text: string) => createHash('sha256').update(text).digest()
