// A route is one value: method, path, schemas and handler. Registering it validates, answers and documents it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../operations/context.ts'
import type { Services } from '../operations/services.ts'
import type { Authenticate } from './authenticate.ts'
import { getBody } from './body.ts'
import { toRequestError } from './invalid.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Answer = { status?: number; body: unknown }

export type Input<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = {
  params: z.output<Params>
  query: z.output<Query>
  body: z.output<Body>
  context: Context
  headers: FastifyRequest['headers']
}

type Shape<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = {
  params?: Params
  query?: Query
  body?: Body
  handle(input: Input<Params, Query, Body>, services: Services): Promise<Answer>
}

export type RouteDocument = {
  /** What generated clients call it: the file's own name. */
  operationId?: string
  method: Method
  path: `/v1/${string}`
  /** What the key must be allowed, and which of its windows is counted. */
  access: 'read' | 'write'
  tag: string
  summary: string
  description?: string
  headers?: Record<string, { description: string }>
  /** The bodies of success by status. */
  responses: Record<number, z.ZodType>
  /** Statuses this route answers with beside those that every route has. */
  errors?: number[]
  /** Where the request names its customer, so that what is held of it is confirmed as the request is admitted. */
  customer?: 'path' | 'query' | 'body'
  /** Asks the payment provider, and is given its time. */
  waitsForProvider?: true
}

export type Route = RouteDocument & Shape<z.ZodType, z.ZodType, z.ZodType>

/** Gives the handler the types of its schemas. */
export function defineRoute<
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(route: RouteDocument & Shape<Params, Query, Body>): Route {
  return route as unknown as Route
}

export function registerRoute(
  app: FastifyInstance,
  route: Route,
  authenticate: Authenticate,
  services: Services,
): void {
  const isWrite = route.access === 'write'
  const hasBody = route.method !== 'GET'
  const successStatus = Number(Object.keys(route.responses)[0])
  app.route<{ Body: unknown }>({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // Whoever has no key is refused before the body is read, unless the body names the customer.
    [route.customer === 'body' ? 'preValidation' : 'onRequest']: async (
      request: FastifyRequest,
      reply: FastifyReply,
    ) => {
      const customerId = route.customer && findCustomerId(request[partOf[route.customer]])
      const context = await authenticate(request, reply, { isWrite, customerId })
      if (!context) return reply
      request.operationContext = context
    },
    handler: async (request, reply) => {
      if (route.waitsForProvider) request.waitsForProvider = true
      const { status = successStatus, body } = await route.handle(
        {
          params: parse(route.params, request.params, 'path'),
          query: parse(route.query ?? nothing, request.query, 'query'),
          body: hasBody ? parse(route.body ?? nothing, getBody(request), 'body') : undefined,
          context: request.operationContext as Context,
          headers: request.headers,
        },
        services,
      )
      // A string is JSON already: hot routes write theirs by hand.
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(text)
    },
  })
}

const partOf = { path: 'params', query: 'query', body: 'body' } as const

function findCustomerId(part: unknown): string | undefined {
  const { customerId } = (part ?? {}) as { customerId?: unknown }
  return typeof customerId === 'string' ? customerId : undefined
}

const nothing = z.strictObject({})

function parse(schema: z.ZodType | undefined, value: unknown, part: 'path' | 'query' | 'body'): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw toRequestError(result.error, part, value)
}

declare module 'fastify' {
  interface FastifyRequest {
    operationContext: Context | undefined
  }
}
