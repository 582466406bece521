// GET /dashboard/api/{environment}/requests
import { Readable } from 'node:stream'
import { z } from 'zod'
import { watchRequests } from '../../../operations/requests/watch-requests.ts'
import { defineDashboardRoute } from '../route.ts'

// Below the 15 s after which a connection that sends nothing is cut.
const heartbeatMs = 10_000
const bufferedBytes = 256 * 1_024

export const watchRequestsRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/requests',
  access: 'read',
  tag: 'Requests',
  summary: 'Watch requests by key as they are answered, over all instances',
  description:
    'Server-sent events: request (a line), dropped ({count}: lines that were too many); at most 50 lines a second. Bodies are cut at 2 kB and carry no secrets.',
  contentType: 'text/event-stream',
  responses: { 200: z.string() },
  handle: async ({ context }, services) => {
    let stop = () => {}
    let isFull = false
    const stream = new Readable({
      highWaterMark: bufferedBytes,
      read: () => {
        isFull = false
      },
      destroy: (error, done) => {
        stop()
        done(error)
      },
    })
    const write = (text: string): boolean => {
      if (isFull || stream.destroyed || stream.readableEnded) return false
      isFull = !stream.push(text)
      return true
    }
    const writeEvent = (event: string, data: unknown) =>
      write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    const { environment } = context.principal
    const stopWatching = watchRequests(
      services,
      { environment, sessionToken: context.sessionToken },
      {
        onLine: (line) => writeEvent('request', line),
        onDropped: (count) => writeEvent('dropped', { count }),
        onEnd: () => {
          stop()
          stream.push(null)
        },
      },
    )
    const heartbeat = setInterval(() => write(': \n\n'), heartbeatMs).unref()
    stop = () => {
      clearInterval(heartbeat)
      stopWatching()
    }
    write('retry: 2000\n\n')
    // No proxy keeps it back.
    return { headers: { 'x-accel-buffering': 'no' }, body: stream }
  },
})
