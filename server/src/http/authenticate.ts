// Who is calling: the key's environment and scope, its windows, and the context in which the request is answered.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../domain/environment.ts'
import type { RateLimits } from '../domain/rate-limit.ts'
import type { Context } from '../operations/context.ts'
import { hashSecret } from '../operations/keys/api-keys.ts'
import type { Services } from '../operations/services.ts'
import { customerHash } from '../storage/customers/customer-uid.ts'
import type { Admission } from '../storage/keys/admission.ts'
import { memoize } from '../storage/memo.ts'
import { createAddressLimit } from './address-limit.ts'
import { sendError } from './errors.ts'
import type { Admit } from './route.ts'

const keyForm = /^tk_(test|live)_[A-Za-z0-9_-]{16,200}$/

type Options = {
  services: Pick<Services, 'admit' | 'catalogues' | 'tally'>
  limits: RateLimits
  noteUse(keyId: string): void
}

/**
 * Counts a request that is refused for what it is, not for who sends it, and tells the windows of its key. False when it was
 * answered here: its window, or its address's, is full.
 */
export type CountRefused = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

const writeMethods = new Set(['PUT', 'POST', 'DELETE'])

export function createAuthenticate({ services, limits, noteUse }: Options): {
  /** Undefined when the request was answered here: no valid key, a full window, or a scope too small. */
  authenticate: Admit<Context>
  countRefused: CountRefused
} {
  const addresses = createAddressLimit()
  const hashKey = memoize(hashSecret, 2_000)
  const policy = `"all";q=${limits.all};w=10, "write";q=${limits.write};w=10`

  /** Counts it; true when it was answered here. */
  function refuseAddress(request: FastifyRequest, reply: FastifyReply): boolean {
    if (!addresses.isOver(request.ip, Date.now())) return false
    reply.header('retry-after', '10')
    sendError(reply, 429, 'rate_limited', 'Too many requests without a valid API key; wait ten seconds.')
    return true
  }

  function refuseKey(request: FastifyRequest, reply: FastifyReply): undefined {
    if (refuseAddress(request, reply)) return undefined
    sendError(reply, 401, 'unauthorized', 'The header x-api-key must carry a valid API key.')
    return undefined
  }

  function setRateHeaders(reply: FastifyReply, rate: Admission['rate']): void {
    if (!rate) return
    const seconds = Math.max(1, Math.ceil(rate.resetInMs / 1000))
    reply.header('ratelimit-policy', policy)
    reply.header(
      'ratelimit',
      `"all";r=${rate.allLeft};t=${seconds}, "write";r=${rate.writeLeft};t=${seconds}`,
    )
    if (!rate.accepted) reply.header('retry-after', String(seconds))
  }

  /** Undefined when there is no valid key. A key names its environment before it is found. */
  async function admitKey(secret: unknown, isWrite: boolean, customerId: string | undefined) {
    if (typeof secret !== 'string' || !keyForm.test(secret)) return undefined
    const environment: Environment = secret.startsWith('tk_live_') ? 'live' : 'test'
    const hash = customerId === undefined ? undefined : customerHash(environment, customerId)
    const admission = await services.admit({ secretHash: hashKey(secret), isWrite, customerHash: hash })
    return admission?.environment === environment ? { admission, environment, hash } : undefined
  }

  /** True when it was answered here, because the key's window is full. */
  function refuseRate(reply: FastifyReply, { rate, keyId }: Admission): boolean {
    setRateHeaders(reply, rate)
    if (rate && !rate.accepted) {
      services.tally.noteRequest(keyId, 'limited')
      sendError(
        reply,
        429,
        'rate_limited',
        'Too many requests with this API key; the header retry-after says when to go on.',
      )
      return true
    }
    noteUse(keyId)
    services.tally.noteRequest(keyId, 'requests')
    return false
  }

  const countRefused: CountRefused = async (request, reply) => {
    const admitted = await admitKey(request.headers['x-api-key'], writeMethods.has(request.method), undefined)
    request.admission = admitted?.admission
    return admitted ? !refuseRate(reply, admitted.admission) : !refuseAddress(request, reply)
  }

  const authenticate: Admit<Context> = async (request, reply, { isWrite, customerId }) => {
    const admitted = await admitKey(request.headers['x-api-key'], isWrite, customerId)
    if (!admitted) return refuseKey(request, reply)
    const { admission, environment, hash } = admitted
    request.admission = admission
    if (refuseRate(reply, admission)) return undefined
    if (isWrite && admission.scope === 'read') {
      sendError(reply, 403, 'read_only_key', 'This API key may only read; use a key with the scope "full".')
      return undefined
    }
    const { catalogueRevision, now, scope } = admission
    const principal = { environment, actor: `key:${admission.keyId}`, scope, requestId: request.id } as const
    const catalogue =
      services.catalogues.find(environment, catalogueRevision) ??
      (await services.catalogues.get(environment, catalogueRevision))
    if (hash === undefined || customerId === undefined) return { principal, now, catalogue }
    const named = { customerId, customerHash: hash }
    // A write looks its customer up only where what is held of it is likely to be old.
    if (isWrite) return { principal, now, catalogue, named }
    const { customerUid, revision = 0 } = admission.customer ?? {}
    return { principal, now, catalogue, named, seen: { customerUid, revision, catalogueRevision } }
  }

  return { authenticate, countRefused }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a valid key, whether or not the request was let in. */
    admission: Admission | undefined
  }
}
