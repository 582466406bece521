// Node's HTTP server for handlers that take a Request and return a Response, as the SDK's own handler does.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Handler = (request: Request) => Response | Promise<Response>

const largestBody = 64 * 1024

/** Handlers by method and path: `GET /api/access`. */
export async function listen(port: number, handlers: Record<string, Handler>): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const response = await answer(incoming, handlers).catch((error) => {
      console.error(error)
      return answerWithJson(500, { error: 'Something went wrong; try again.' })
    })
    outgoing.writeHead(response.status, [...response.headers].flat())
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

async function answer(incoming: IncomingMessage, handlers: Record<string, Handler>): Promise<Response> {
  const { method = 'GET', headers } = incoming
  const url = new URL(incoming.url ?? '/', `http://${headers.host ?? 'localhost'}`)
  const handle = handlers[`${method} ${url.pathname}`]
  if (!handle) return answerWithJson(404, { error: 'There is nothing here.' })
  if (Number(headers['content-length'] ?? (method === 'GET' ? 0 : largestBody + 1)) > largestBody)
    return answerWithJson(413, { error: 'That is too long.' })
  const body = method === 'GET' ? null : new Uint8Array(await buffer(incoming))
  return handle(new Request(url, { method, headers: headers as Record<string, string>, body }))
}

export const answerWithJson = (status: number, body: unknown): Response => Response.json(body, { status })

export const redirectTo = (location: string, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: 303, headers: { location, ...headers } })
