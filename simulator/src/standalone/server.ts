// The simulator as a server of its own: the API, the hosted pages and the front page on one port.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { contentSecurityPolicy } from '../pages/layout.ts'
import { readForm, sendPage } from '../pages/page.ts'
import { createSimulator, type Simulator } from '../simulator.ts'
import { createMemoryStore, type MemoryStore } from '../store/memory-store.ts'
import { notices, runAction } from './actions.ts'
import { overviewPage, readObjects } from './overview.ts'

export type StandaloneOptions = {
  host: string
  port: number
  file: string | undefined
  secretKey: string
  webhookSecret: string
  webhookTarget: string | undefined
}

export type Standalone = { url: string; simulator: Simulator; close(): Promise<void> }

type Site = { options: StandaloneOptions; simulator: Simulator; store: MemoryStore; server: Server }

/**
 * The front page asks for no key, so it answers only under its own names, and its buttons only from its own page: other pages
 * in the same browser can reach this port as well.
 */
function isOwnPage({ headers }: IncomingMessage, { host }: StandaloneOptions): boolean {
  const asked = (headers.host ?? '').replace(/:\d+$/, '')
  if (!['localhost', '127.0.0.1', '[::1]', host].includes(asked)) return false
  return headers.origin === undefined || headers.origin === `http://${headers.host}`
}

async function answerFront(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, simulator, store } = site
  const form = await readForm(request)
  if (!isOwnPage(request, options)) {
    response
      .writeHead(403, { 'content-type': 'text/plain' })
      .end('This page is for the machine it runs on.\n')
    return
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const action = /^\/actions\/([a-z-]+)$/.exec(pathname)?.[1]
  if (form !== undefined && action !== undefined) {
    sendPage(response, { redirect: `/?done=${await runAction(site, action, form)}` })
    return
  }
  if (pathname !== '/' || form !== undefined) {
    sendPage(response, { redirect: '/' })
    return
  }
  const done = searchParams.get('done') ?? ''
  const objects = await simulator.access.read('test', readObjects)
  const page = overviewPage(
    {
      ...objects,
      nowMs: await store.readClock('test'),
      isFrozen: store.isFrozen('test'),
      failingCharges: simulator.faults.failingCharges,
      secretKey: options.secretKey,
      webhookTarget: options.webhookTarget,
    },
    Object.hasOwn(notices, done) ? notices[done as keyof typeof notices] : undefined,
  )
  // Here, unlike on the hosted pages, no form leads anywhere else.
  response.setHeader('content-security-policy', `${contentSecurityPolicy}; form-action 'self'`)
  sendPage(response, { page, status: 200 })
}

function isFront(path: string): boolean {
  return path === '/' || path.startsWith('/?') || path.startsWith('/actions/')
}

export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const store = createMemoryStore(options.file === undefined ? {} : { file: options.file })
  const listening = { url: '' }
  const simulator = createSimulator({
    store,
    webhookTarget: () => options.webhookTarget,
    publicUrl: () => listening.url,
    secrets: {
      test: { secretKey: options.secretKey, webhookSecret: options.webhookSecret },
      // Never simulated here: nobody can know this key.
      live: { secretKey: `sk_live_${crypto.randomUUID()}`, webhookSecret: crypto.randomUUID() },
    },
  })
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (path.startsWith('/simulator/')) return simulator.pages(request, response)
    if (!isFront(path)) return simulator.handler(request, response)
    const site = { options, simulator, store, server }
    answerFront(site, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as { port: number }
  listening.url = `http://${options.host === '127.0.0.1' ? 'localhost' : options.host}:${port}`
  simulator.start()
  return {
    url: listening.url,
    simulator,
    async close() {
      await simulator.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.close()
    },
  }
}
