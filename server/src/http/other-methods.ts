// A path that exists, asked with a method it does not have: 405 with the ones it has.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { CountRefused } from './authenticate.ts'
import { sendError } from './errors.ts'

const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']
const known = new Set<string>(methods)

/**
 * Lets TRACE, which no path has, stand for the two dozen methods of other protocols, before a route is looked for: refusing each
 * of them on every path would make each start slower.
 */
export function replaceOddMethod(request: { method?: string | undefined }): void {
  if (!known.has(request.method ?? '')) request.method = 'TRACE'
}

/**
 * Call it before any route of the instance is registered; what it returns refuses the other methods of all that are registered
 * until then, but of scopes that did so themselves.
 */
export function collectMethods(app: FastifyInstance, countRefused: CountRefused): () => void {
  const ownByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const own = ownByUrl.get(url) ?? new Set()
    for (const each of [method].flat()) own.add(each)
    ownByUrl.set(url, own)
  })

  // As a plugin, so that routes of scopes registered before are there.
  return () =>
    void app.register(async (scope) => {
      for (const [url, own] of [...ownByUrl]) {
        const others = methods.filter((method) => !own.has(method))
        if (others.length === 0) continue
        const allow = [...own].join(', ')
        scope.route({
          method: others,
          url,
          // Before the body, whatever a method says of one.
          onRequest: async (request, reply) => {
            if (!(await countRefused(request, reply))) return reply
            reply.header('allow', allow)
            return sendError(reply, 405, 'method_not_allowed', `This route takes only ${allow}.`)
          },
          handler: () => undefined,
        })
      }
    })
}
