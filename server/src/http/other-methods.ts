// A path that exists, asked with a method it does not have: 405 with the ones it has.
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { sendError } from './errors.ts'
import type { Route } from './route.ts'

const methods: HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']

export function refuseOtherMethods(app: FastifyInstance, routes: Route[]): void {
  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    const own = new Set<string>(group.map((route) => route.method))
    const allow = [...own].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', ')
    app.route({
      method: methods.filter((method) => !own.has(method)),
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: (_request, reply) => {
        reply.header('allow', allow)
        return sendError(reply, 405, 'method_not_allowed', `This route takes only ${allow}.`)
      },
    })
  }
}
