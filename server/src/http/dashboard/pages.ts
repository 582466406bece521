// The dashboard's pages: one HTML file at every page's address, and the files it is made of, as the build left them on disk.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const builtFolder = join(import.meta.dirname, '../../../../dashboard/dist')

const pagePaths = ['/', '/login', '/join', '/test', '/live', '/settings'] as const
const pageTrees = ['/test/*', '/live/*', '/settings/*']

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/** `folder` is where the build lies, or will lie. */
export function registerPages(app: FastifyInstance, folder: string = builtFolder): void {
  for (const url of [...pagePaths, ...pageTrees]) {
    app.get(url, (_request, reply) => sendPage(reply, folder))
  }
  // Names of one segment and of the kinds above, so nothing leads out of the folder; other routes of a word come first.
  app.get<{ Params: { file: string } }>('/assets/:file(^[\\w-][\\w.-]*$)', (request, reply) =>
    sendFile(request, reply, join(folder, 'assets'), 'public, max-age=31536000, immutable'),
  )
  app.get<{ Params: { file: string } }>(
    '/:file(^[\\w-]+\\.(?:js|css|svg|png|ico|webmanifest)$)',
    (request, reply) => sendFile(request, reply, folder, 'no-cache'),
  )
}

async function sendPage(reply: FastifyReply, folder: string): Promise<FastifyReply> {
  const html = await findFile(join(folder, 'index.html'))
  if (!html) return sendWaiting(reply)
  const nonce = randomBytes(16).toString('base64url')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return secure(reply, policy)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(html.toString().replaceAll('__CSP_NONCE__', nonce))
}

/** The API answers before the pages are built; the browser comes back by itself. */
function sendWaiting(reply: FastifyReply): FastifyReply {
  return secure(reply, ["default-src 'none'", "style-src 'unsafe-inline'", "frame-ancestors 'none'"])
    .code(503)
    .header('retry-after', '2')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Tollkeeper</title>
<style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:0}</style>
</head><body><main><p>The dashboard is being built. This page goes on by itself.</p></main></body></html>`)
}

const secure = (reply: FastifyReply, policy: string[]): FastifyReply =>
  reply
    .header('content-security-policy', policy.join('; '))
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

async function sendFile(
  request: FastifyRequest<{ Params: { file: string } }>,
  reply: FastifyReply,
  folder: string,
  caching: string,
): Promise<FastifyReply> {
  const { file } = request.params
  const type = contentTypes[extname(file)]
  if (type === undefined) {
    reply.callNotFound()
    return reply
  }
  reply.header('x-content-type-options', 'nosniff').header('vary', 'accept-encoding')
  const accepted = readAccepted(request.headers['accept-encoding'])
  for (const [encoding, ending] of encodings) {
    if (!accepted.has(encoding)) continue
    const packed = await findFile(join(folder, `${file}${ending}`))
    if (packed)
      return reply
        .type(type)
        .header('cache-control', caching)
        .header('content-encoding', encoding)
        .send(packed)
  }
  const plain = await findFile(join(folder, file))
  if (plain) return reply.type(type).header('cache-control', caching).send(plain)
  reply.callNotFound()
  return reply
}

/** Encodings that the browser did not say no to. */
const readAccepted = (header: string | string[] | undefined): Set<string> =>
  new Set(
    String(header ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';')[0] as string),
  )

/** Undefined while it is not there. */
async function findFile(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code)))
      return undefined
    throw error
  }
}
