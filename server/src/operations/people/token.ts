// The secrets of sessions and links: 256 random bits, stored only as their hash. Being random they need no slow hash.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

export const makeToken = (): string => randomBytes(32).toString('base64url')

const tokenForm = /^[A-Za-z0-9_-]{43}$/

/** Undefined for what cannot be one of ours, which then needs no looking up. */
export const hashToken = (token: string): string | undefined =>
  tokenForm.test(token) ? hash('sha256', token, 'hex') : undefined

/** What a page sends with its writes: it follows from the session's secret, which no page of another site can read. */
export const csrfTokenOf = (sessionToken: string): string =>
  hash('sha256', `csrf:${sessionToken}`, 'base64url')

export function isCsrfTokenOf(sessionToken: string, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const [wanted, came] = [Buffer.from(csrfTokenOf(sessionToken)), Buffer.from(given)]
  return wanted.length === came.length && timingSafeEqual(wanted, came)
}
