// A page of a few words, for customers who are not sent anywhere else.
import type { FastifyReply } from 'fastify'

/** Title and text are ours: nothing of a caller's goes in. */
export function renderNotice(reply: FastifyReply, status: number, title: string, text: string): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    )
    .header('x-content-type-options', 'nosniff')
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:0}main{max-width:26rem;padding:2rem;text-align:center}</style>
</head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`)
}
