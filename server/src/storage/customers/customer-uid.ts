// Names of customers in the database: a hash that is known without a look-up, and a uid for what this very customer owns.
import { hash, randomBytes } from 'node:crypto'
import type { Environment } from '../../domain/environment.ts'
import { memoize } from '../memo.ts'

const toUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`

/** Sixteen bytes of SHA-256 in the form of a UUID. */
export const hashToUuid = (text: string): string => toUuid(hash('sha256', text, 'hex'))

const hashName = memoize(hashToUuid, 20_000)

export const customerHash = (environment: Environment, customerId: string): string =>
  hashName(`${environment}\n${customerId}`)

/** Begins as the hash does, so that either finds the server that has the customer; the rest is this customer's own. */
export const makeCustomerUid = (ofHash: string): string =>
  toUuid(ofHash.replaceAll('-', '').slice(0, 16) + randomBytes(8).toString('hex'))

/** A UUID (version 8) that begins as its customer's uid does; then come 52 bits that order it, and chance. */
export function makeOwnedUuid(customerUid: string, order: number): string {
  const place = order.toString(16).padStart(13, '0')
  const random = randomBytes(5).toString('hex').slice(1)
  // Version and variant are the 13th and the 17th digit.
  return toUuid(
    `${customerUid.slice(0, 8)}${place.slice(0, 4)}8${place.slice(4, 7)}8${place.slice(7)}${random}`,
  )
}
