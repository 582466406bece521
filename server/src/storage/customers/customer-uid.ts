// The name of a customer in the database: a hash, so that it is known without a look-up and every key is narrow.
import { hash } from 'node:crypto'
import type { Environment } from '../../domain/environment.ts'

/** Sixteen bytes of SHA-256 in the form of a UUID. */
export function hashToUuid(text: string): string {
  const hex = hash('sha256', text, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

export const customerUid = (environment: Environment, customerId: string): string =>
  hashToUuid(`${environment}\n${customerId}`)
