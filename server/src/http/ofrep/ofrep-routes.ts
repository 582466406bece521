// OpenFeature's remote evaluation protocol: features as flags of the customer whom the targeting key names.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid, RequestError } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { evaluateFlag, evaluateFlags } from '../../operations/feature-access/evaluate-flags.ts'
import type { AccessView } from '../../operations/feature-access/get-feature-access.ts'
import type { Services } from '../../operations/services.ts'
import type { CountRefused } from '../authenticate.ts'
import { getBody } from '../body.ts'
import { customerId } from '../fields.ts'
import { collectMethods } from '../other-methods.ts'
import type { Admit } from '../route.ts'
import { writeProtocolError } from './errors.ts'
import { toApiFlag } from './flag.ts'

const bulkPath = '/ofrep/v1/evaluate/flags'

type Bulk = { text: string; etag: string }

// A view is one object for as long as it holds, so its flags are written once.
const written = new WeakMap<AccessView, Bulk>()

type Guards = { authenticate: Admit<Context>; countRefused: CountRefused }

export function registerOfrep(
  app: FastifyInstance,
  services: Services,
  { authenticate, countRefused }: Guards,
): void {
  app.register(async (scope) => {
    scope.addHook('onSend', writeProtocolError)
    const refuseOtherMethods = collectMethods(scope, countRefused)
    // Providers of this protocol send a key in either header.
    scope.addHook('onRequest', async ({ headers }) => {
      const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
      if (bearer !== undefined) headers['x-api-key'] ??= bearer
    })
    // Evaluating changes nothing, whatever its method says.
    const admit = async (request: FastifyRequest, reply: FastifyReply) => {
      const named = findTargetingKey(request.body)
      const asked = typeof named === 'string' ? named : undefined
      const context = await authenticate(request, reply, { isWrite: false, customerId: asked })
      if (!context) return reply
      request.caller = context
    }

    scope.post<{ Params: { key: string } }>(
      `${bulkPath}/:key`,
      { preValidation: admit },
      async (request, reply) => {
        const customer = getCustomerId(request)
        const flag = await inContext(
          evaluateFlag(services, request.caller as Context, {
            customerId: customer,
            flagKey: request.params.key,
          }),
        )
        return sendJson(reply, JSON.stringify(toApiFlag(flag)))
      },
    )

    scope.post(bulkPath, { preValidation: admit }, async (request, reply) => {
      const customer = getCustomerId(request)
      const found = await inContext(evaluateFlags(services, request.caller as Context, customer))
      const { text, etag } = written.getOrInsertComputed(found.view, () =>
        withEtag(JSON.stringify({ flags: found.flags().map(toApiFlag) })),
      )
      reply.header('etag', etag)
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return sendJson(reply, text)
    })

    refuseOtherMethods()
  })
}

const sendJson = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'application/json; charset=utf-8').send(text)

const withEtag = (text: string): Bulk => ({
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`,
})

const isKnown = (header = '', etag: string): boolean =>
  header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag)

function findTargetingKey(body: unknown): unknown {
  const { context } = (body ?? {}) as { context?: { targetingKey?: unknown } | null }
  return context?.targetingKey
}

function getCustomerId(request: FastifyRequest): string {
  const body = getBody(request)
  const { context = {} } = (isObject(body) ? body : {}) as { context?: unknown }
  if (!isObject(body) || !isObject(context)) {
    throw invalid('The body must be an object with the object context.', 'invalid_context')
  }
  const { targetingKey } = context as { targetingKey?: unknown }
  if (targetingKey === undefined || targetingKey === null || targetingKey === '') {
    throw invalid('context.targetingKey must be the id of a customer.', 'targeting_key_missing')
  }
  const parsed = customerId.safeParse(targetingKey)
  if (parsed.success) return parsed.data
  throw invalid(`context.targetingKey ${parsed.error.issues[0]?.message}.`, 'invalid_context')
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A customer that is unknown is a context that is wrong: only a flag may be not found here. */
async function inContext<T>(evaluated: Promise<T>): Promise<T> {
  try {
    return await evaluated
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'customer_not_found') throw error
    throw invalid(`context.targetingKey: ${error.message}`, 'invalid_context')
  }
}
