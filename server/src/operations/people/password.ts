// Hashing passwords with scrypt: slow and hungry for memory on purpose, so only a few at a time and a few more waiting.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { invalid, overloaded } from '../../domain/errors.ts'
import { findPasswordFault } from '../../domain/people/role.ts'

// 32 MiB and about 80 ms each.
const costExponent = 15
const [blockSize, parallelism, length] = [8, 1, 32]
const atOnce = 2
const waitingAtMost = 32

const queue: (() => void)[] = []
let underWay = 0

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay < atOnce) underWay++
  else if (queue.length >= waitingAtMost) throw overloaded()
  else await new Promise<void>((resolve) => queue.push(resolve))
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else underWay--
  }
}

type Cost = { exponent: number; blockSize: number; parallelism: number }

function derive(password: string, salt: Buffer, cost: Cost, size: number): Promise<Buffer> {
  const options: ScryptOptions = {
    N: 2 ** cost.exponent,
    r: cost.blockSize,
    p: cost.parallelism,
    maxmem: 256 * cost.blockSize * 2 ** cost.exponent,
  }
  return inTurn(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, size, options, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, { exponent: costExponent, blockSize, parallelism }, length)
  const parts = [costExponent, blockSize, parallelism, salt.toString('base64url'), key.toString('base64url')]
  return `scrypt$${parts.join('$')}`
}

// Nobody's password: whoever has none, or is not there, is compared with this, so that the work tells nothing.
const nobody = `scrypt$${costExponent}$${blockSize}$${parallelism}$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(length).toString('base64url')}`

/** Takes the same work whether or not there is a hash to compare with. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, exponent, size, parallel, salt = '', wanted = ''] = (stored ?? nobody).split('$')
  const cost = { exponent: Number(exponent), blockSize: Number(size), parallelism: Number(parallel) }
  const key = Buffer.from(wanted, 'base64url')
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost, key.length)
  return timingSafeEqual(derived, key) && typeof stored === 'string'
}

/** Refuses a new password that is too short, too long or the address; `field` names it. */
export function checkPassword(password: string, email: string, field: string): void {
  const fault = findPasswordFault(password, email)
  if (fault) throw invalid(`${field} ${fault}.`, 'weak_password')
}
