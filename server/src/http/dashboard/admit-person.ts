// Who is calling, by the session's cookie: the person as they are now, what their role may, and that a write comes from a page of ours.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../domain/environment.ts'
import { actorOf, findRefusal, type RouteAccess } from '../../domain/people/role.ts'
import { openContext } from '../../operations/context.ts'
import { findSession } from '../../operations/people/session.ts'
import { isCsrfTokenOf } from '../../operations/people/token.ts'
import type { Services } from '../../operations/services.ts'
import type { CountRefused } from '../authenticate.ts'
import { sendError } from '../errors.ts'
import type { Admit } from '../route.ts'
import { readSessionCookie } from './cookie.ts'
import type { PersonContext, SignedInVisitor, Visitor } from './route.ts'

const readMethods = new Set(['GET', 'HEAD'])
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]'])

export type AdmitPerson = {
  /** Lets anyone in, but a write only from a page of ours. */
  visitor: Admit<Visitor>
  person(access: RouteAccess): Admit<SignedInVisitor>
  inEnvironment(access: RouteAccess, environment: Environment): Admit<PersonContext>
}

export function createAdmitPerson(services: Services, countRefused: CountRefused): AdmitPerson {
  /** Every write says where the page lies that sends it; a browser lets no page lie about that. */
  function isForeign({ method, headers }: FastifyRequest): boolean {
    if (readMethods.has(method)) return false
    const { origin, host } = headers
    if (origin === undefined || !URL.canParse(origin)) return true
    const page = new URL(origin)
    if (page.origin === new URL(services.publicUrl()).origin) return false
    // This machine's own names lead to the same place; any other name could be made to by whoever owns it.
    return !(page.protocol === 'http:' && page.host === host && ownNames.has(page.hostname))
  }

  const refuseForeign = (reply: FastifyReply): undefined => {
    sendError(
      reply,
      403,
      'csrf',
      'Writes must come from a page of this service (its address is PUBLIC_URL): its Origin and x-csrf-token.',
    )
    return undefined
  }

  /** What a person sees is for that person, and no matter for caches on the way. */
  const keepPrivate = (reply: FastifyReply) =>
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')

  const visitor: Admit<Visitor> = async (request, reply) => {
    keepPrivate(reply)
    if (isForeign(request)) return refuseForeign(reply)
    const { id, ip, headers } = request
    return { requestId: id, address: ip, sessionToken: readSessionCookie(headers.cookie) }
  }

  /** Undefined when it was answered here. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    access: RouteAccess,
    environment?: Environment,
  ): Promise<SignedInVisitor | undefined> {
    keepPrivate(reply)
    const sessionToken = readSessionCookie(request.headers.cookie)
    const person = sessionToken && (await findSession(services.database, sessionToken))
    if (!person) {
      if (await countRefused(request, reply)) sendError(reply, 401, 'signed_out', 'Sign in to go on.')
      return undefined
    }
    const isRead = readMethods.has(request.method)
    if (!isRead && (isForeign(request) || !isCsrfTokenOf(sessionToken, request.headers['x-csrf-token'])))
      return refuseForeign(reply)
    const refusal = findRefusal(person.role, access, environment)
    if (refusal) {
      sendError(reply, 403, refusal.code, refusal.message)
      return undefined
    }
    return { requestId: request.id, address: request.ip, sessionToken, person }
  }

  return {
    visitor,
    person: (access) => (request, reply) => admit(request, reply, access),
    inEnvironment: (access, environment) => async (request, reply) => {
      const signedIn = await admit(request, reply, access, environment)
      if (!signedIn) return undefined
      const { person, sessionToken, requestId } = signedIn
      const scope = person.role === 'read' ? 'read' : 'full'
      const context = await openContext(services, { environment, actor: actorOf(person), scope, requestId })
      return { ...context, person, sessionToken }
    },
  }
}
