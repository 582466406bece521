// The addresses of the hosted pages. Who has a session's link may use it, as with the provider's own pages.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ContextAccess } from '../context.ts'
import { environments } from '../environment.ts'
import { endedPage } from './checkout.ts'
import { answerCheckout } from './checkout-routes.ts'
import { type PageAnswer, type PageRequest, readForm, sendPage } from './page.ts'
import { portalClosedPage } from './portal.ts'
import { answerPortal } from './portal-routes.ts'

const pattern = /^\/simulator\/([^/]+)\/(checkout|portal)\/([^/]+)(?:\/([a-z-]+))?$/

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

async function answer(access: ContextAccess, request: IncomingMessage): Promise<PageAnswer> {
  const form = await readForm(request)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const [, name, kind, id = '', action = ''] = pattern.exec(pathname) ?? []
  const environment = environments.find((one) => one === name)
  const isPortal = kind === 'portal'
  if (environment === undefined || !['GET', 'HEAD', 'POST'].includes(request.method ?? '')) {
    return { page: isPortal ? portalClosedPage() : endedPage(undefined), status: 404 }
  }
  const asked: PageRequest = { environment, id: decode(id), action, query: searchParams, form }
  return isPortal ? answerPortal(access, asked) : answerCheckout(access, asked)
}

export function createPages(access: ContextAccess) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(access, request)
      .then((result) => sendPage(response, result))
      .catch(() => (response.headersSent ? response.destroy() : response.writeHead(500).end()))
  }
}
