// A route is one value: method, path, schemas and handler. Registering it validates, answers and documents it.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../operations/context.ts'
import type { Services } from '../operations/services.ts'
import { readTrace, withTrace } from '../telemetry/trace.ts'
import { getBody } from './body.ts'
import { toRequestError } from './invalid.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A stream is sent as it comes; a string is sent as it is; anything else becomes JSON. */
export type Answer = { status?: number; headers?: Record<string, string>; body: unknown }

export type Input<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Caller> = {
  params: z.output<Params>
  query: z.output<Query>
  body: z.output<Body>
  /** What authentication knows of whoever calls. */
  context: Caller
  headers: FastifyRequest['headers']
}

export type Shape<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Caller> = {
  params?: Params
  query?: Query
  body?: Body
  handle(input: Input<Params, Query, Body, Caller>, services: Services): Promise<Answer>
}

export type RouteDocument<Path extends string, Needs extends string> = {
  /** What generated clients call it: the file's own name. */
  operationId?: string
  method: Method
  path: Path
  /** What whoever calls must be allowed; for a key also which of its windows is counted. */
  access: Needs
  tag: string
  summary: string
  description?: string
  headers?: Record<string, { description: string }>
  /** The bodies of success by status. */
  responses: Record<number, z.ZodType>
  /** What success is sent as, where it is not JSON. */
  contentType?: 'text/csv' | 'text/event-stream'
  /** Statuses this route answers with beside those that every route has. */
  errors?: number[]
  /** Where the request names its customer, so that what is held of it is confirmed as the request is admitted. */
  customer?: 'path' | 'query' | 'body'
  /** Asks the payment provider, and is given its time. */
  waitsForProvider?: true
}

export type RouteOf<Path extends string, Needs extends string, Caller> = RouteDocument<Path, Needs> &
  Shape<z.ZodType, z.ZodType, z.ZodType, Caller>

/** A public one, called with a key. */
export type Route = RouteOf<`/v1/${string}`, 'read' | 'write', Context>

/** Gives the handler the types of its schemas. */
export function defineRoute<
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(route: RouteDocument<`/v1/${string}`, 'read' | 'write'> & Shape<Params, Query, Body, Context>): Route {
  return route as unknown as Route
}

export type Access = { isWrite: boolean; customerId: string | undefined }

/** Undefined when the request was answered there. */
export type Admit<Caller> = (
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
) => Promise<Caller | undefined>

/** Where a path of the document is found by the router. */
const toUrl = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

export function registerRoute<Caller extends object>(
  app: FastifyInstance,
  route: RouteOf<string, string, Caller>,
  admit: Admit<Caller>,
  services: Services,
): void {
  const isWrite = route.access !== 'read'
  const hasBody = route.method !== 'GET'
  const successStatus = Number(Object.keys(route.responses)[0])
  const contentType = `${route.contentType ?? 'application/json'}; charset=utf-8`
  app.route<{ Body: unknown }>({
    method: route.method,
    url: toUrl(route.path),
    // Whoever has no key is refused before the body is read, unless the body names the customer.
    [route.customer === 'body' ? 'preValidation' : 'onRequest']: async (
      request: FastifyRequest,
      reply: FastifyReply,
    ) => {
      const customerId = route.customer && findCustomerId(request[partOf[route.customer]])
      const caller = await admit(request, reply, { isWrite, customerId })
      if (!caller) return reply
      request.caller = caller
    },
    handler: async (request, reply) => {
      if (route.waitsForProvider) request.waitsForProvider = true
      const input = {
        params: parse(route.params, request.params, 'path'),
        query: parse(route.query ?? nothing, request.query, 'query'),
        body: hasBody ? parse(route.body ?? nothing, getBody(request), 'body') : undefined,
        context: request.caller as Caller,
        headers: request.headers,
      }
      const {
        status = successStatus,
        headers,
        body,
      } = await (route.waitsForProvider
        ? withTrace(readTrace(request.headers.traceparent), () => route.handle(input, services))
        : route.handle(input, services))
      if (headers !== undefined) reply.headers(headers)
      // A string is JSON already: hot routes write theirs by hand.
      const text = typeof body === 'string' || body instanceof Readable ? body : JSON.stringify(body)
      if (typeof text === 'string') request.answerText = text
      return reply.code(status).header('content-type', contentType).send(text)
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
    /** Who calls, once that is known. */
    caller: object | undefined
  }
}
