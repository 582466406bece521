// The ids of simulated objects, in the forms that Stripe's have.
import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 24 characters of 62: nobody guesses one, which is all that guards a hosted page. */
export function newId(prefix: string, length = 24): string {
  let id = prefix
  while (id.length < prefix.length + length) {
    for (const byte of randomBytes(length)) {
      // Bytes above a multiple of 62 are left out, or some characters would come up more often.
      if (byte < 248 && id.length < prefix.length + length) id += alphabet[byte % 62]
    }
  }
  return id
}
