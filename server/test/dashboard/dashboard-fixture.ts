// A service with people in it, and browsers: callers that keep a cookie, send the Origin of the page and its CSRF token.
import { Agent } from 'node:http'
import type { Role } from '../../src/domain/people/role.ts'
import { invitePerson } from '../../src/operations/people/invite-person.ts'
import { type Answer, call, startTestService, type TestService } from '../service.ts'

export const adminEmail = 'ada@example.com'
export const adminPassword = 'correct horse battery'

type BrowserRequest = {
  body?: unknown
  raw?: string
  /** Taken as given, over what the browser would send; undefined leaves one out. */
  headers?: Record<string, string | undefined>
  instance?: number
}

export type Browser = {
  cookie: string | undefined
  csrfToken: string | undefined
  request(method: string, path: string, options?: BrowserRequest): Promise<Answer>
}

export type DashboardService = TestService & {
  admin: Browser
  openBrowser(): Browser
  signIn(email: string, password: string): Promise<Browser>
  /** Invites a person, who joins. */
  join(email: string, role: Role): Promise<Browser>
}

export const joinedPassword = 'a password of ten'

export async function startDashboardService(
  options: Parameters<typeof startTestService>[0] = {},
): Promise<DashboardService> {
  const service = await startTestService({
    ...options,
    variables: {
      TOLLKEEPER_ADMIN_EMAIL: adminEmail,
      TOLLKEEPER_ADMIN_PASSWORD: adminPassword,
      ...options.variables,
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })

  function openBrowser(): Browser {
    const browser: Browser = {
      cookie: undefined,
      csrfToken: undefined,
      request: async (method, path, { body, raw, headers = {}, instance = 0 } = {}) => {
        const url = service.urls[instance] as string
        const sent = {
          cookie: browser.cookie,
          origin: method === 'GET' ? undefined : url,
          'x-csrf-token': method === 'GET' ? undefined : browser.csrfToken,
          'content-type': body === undefined && raw === undefined ? undefined : 'application/json',
          ...headers,
        }
        const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
        const answer = await call(
          agent,
          url,
          method,
          `/dashboard/api/${path}`,
          payload,
          withoutUndefined(sent),
        )
        const [set] = answer.headers['set-cookie'] ?? []
        if (set !== undefined) browser.cookie = set.split(';')[0]
        if (typeof answer.body?.csrfToken === 'string') browser.csrfToken = answer.body.csrfToken
        return answer
      },
    }
    return browser
  }

  async function signIn(email: string, password: string): Promise<Browser> {
    const browser = openBrowser()
    const { status, text } = await browser.request('POST', 'session', { body: { email, password } })
    if (status !== 200) throw new Error(`Signing in: ${status} ${text}`)
    return browser
  }

  async function join(email: string, role: Role): Promise<Browser> {
    const { database } = (service.instances[0] as TestService['instances'][number]).services
    const acting = { actor: 'test', now: Date.now() }
    const { link } = await invitePerson(database, acting, { email, role })
    const browser = openBrowser()
    const body = { name: email, password: joinedPassword }
    const { status, text } = await browser.request('POST', `links/${tokenOf(link.path)}`, { body })
    if (status !== 200) throw new Error(`Joining: ${status} ${text}`)
    return browser
  }

  const close = async () => {
    agent.destroy()
    await service.close()
  }
  const admin = await signIn(adminEmail, adminPassword)
  return { ...service, admin, openBrowser, signIn, join, close }
}

/** Of a link or its path. */
export const tokenOf = (address: string): string => address.slice(address.indexOf('token=') + 6)

const withoutUndefined = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
