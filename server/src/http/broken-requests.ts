// What is refused before any route: what is not HTTP, too slow or too large in its head, names no host, or expects what nobody
// can promise. Each gets an answer of the same shape as any other error.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CountRefused } from './authenticate.ts'
import { handleError, sendError } from './errors.ts'

type Socket = {
  writable: boolean
  end(text: string): void
  destroy(): void
  /** The answer under way on this connection, as Node keeps it. */
  _httpMessage?: ServerResponse | null
}

/** On the bare socket: there is no request to answer. */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // What came before the broken bytes may have taken effect already: it gets its own answer, and the connection ends with it.
  const underWay = socket._httpMessage
  if (underWay?.req.complete && !underWay.writableFinished) {
    underWay.once('finish', () => socket.destroy())
    return
  }
  const [status, code, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'headers_too_large', 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'request_timeout', 'The request took too long to arrive.']
        : ['400 Bad Request', 'bad_http', 'This is not a valid HTTP request.']
  const body = JSON.stringify({ error: text })
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    `x-error-code: ${code}`,
    `x-request-id: req_${randomUUID()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Node would answer these two by itself, without a word; the server must be made with `requireHostHeader: false`. */
export function refuseOddHeads(app: FastifyInstance, countRefused: CountRefused): void {
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.addHook('onRequest', (request, reply, done) => {
    const fault = findFault(request)
    if (!fault) return done()
    countRefused(request, reply).then(
      (isCounted) => isCounted && sendError(reply, ...fault),
      (error: Error) => handleError(error, request, reply),
    )
  })
}

type Fault = [status: number, code: string, message: string]

function findFault({ raw: { headers, httpVersion } }: FastifyRequest): Fault | undefined {
  if (headers.host === undefined && httpVersion === '1.1') {
    return [400, 'missing_host', 'The header host is required in HTTP/1.1.']
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return [417, 'expectation_failed', 'The header expect may only be "100-continue".']
  }
  return undefined
}
