// A path that exists, asked with a method it does not have: 405 with the ones it has.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { CountRefused } from './authenticate.ts'
import { sendError } from './errors.ts'
import { toUrl } from './route.ts'

const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']

export function refuseOtherMethods(
  app: FastifyInstance,
  routes: readonly { path: string; method: string }[],
  countRefused: CountRefused,
): void {
  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    const own = new Set<string>(group.map((route) => route.method))
    // Every GET answers HEAD too.
    if (own.has('GET')) own.add('HEAD')
    const allow = [...own].join(', ')
    app.route({
      method: methods.filter((method) => !own.has(method)),
      url: toUrl(path),
      handler: async (request, reply) => {
        if (!(await countRefused(request, reply))) return reply
        reply.header('allow', allow)
        return sendError(reply, 405, 'method_not_allowed', `This route takes only ${allow}.`)
      },
    })
  }
}
