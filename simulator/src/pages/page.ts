// What the hosted pages have in common: the request a page answers, its answer, and the headers it goes out with.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Environment } from '../environment.ts'
import { contentSecurityPolicy } from './layout.ts'

/** The first value of each field; forms of these pages are flat. */
export type FormBody = Record<string, string | undefined>

/** `form` is undefined when the page is only looked at. */
export type PageRequest = {
  environment: Environment
  id: string
  /** What follows the id in the path; empty for the page itself. */
  action: string
  query: URLSearchParams
  form: FormBody | undefined
}

/** A page to show, or the address to send the customer on to. */
export type PageAnswer = { page: string; status: number } | { redirect: string }

const maxFormBytes = 16_384

/** Undefined when nothing was sent; what is too long counts as empty. */
export async function readForm(request: IncomingMessage): Promise<FormBody | undefined> {
  if (request.method !== 'POST') return undefined
  let text = ''
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
    // What is too long is read to its end all the same: an answer sent into a running request would be lost.
    if (text.length <= maxFormBytes) text += chunk
  }
  return text.length > maxFormBytes ? {} : Object.fromEntries(new URLSearchParams(text))
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const policy = 'content-security-policy'

/** A header carries ASCII only; what is already encoded stays as it is. */
const toLocation = (address: string) => address.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent)

export function sendPage(response: ServerResponse, answer: PageAnswer): void {
  if ('redirect' in answer) {
    response.writeHead(303, { ...headers, location: toLocation(answer.redirect) }).end()
  } else {
    if (!response.hasHeader(policy)) response.setHeader(policy, contentSecurityPolicy)
    response.writeHead(answer.status, headers).end(answer.page)
  }
}
