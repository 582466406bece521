// Slows down guessing a password, by account and by address, over all instances.
import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { ThrottledError } from '../../domain/errors.ts'
import { accountRule, addressRule, countAttempt, takeBackAttempt } from '../../domain/people/throttle.ts'
import type { Database, Sql } from '../../storage/database.ts'
import { deleteAttempts, lockAttempts, saveAttempts } from '../../storage/people/attempts.ts'

type Guarded = { account: string; address: string }

/** `verify` returns undefined when the password was wrong. Nobody is asked, who has to wait. */
export async function guardAttempt<T>(
  database: Database,
  guarded: Guarded,
  verify: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const account = subjectOf('account', guarded.account)
  const address = subjectOf('address', networkOf(guarded.address))
  await database.inTransaction(async (sql) => {
    const { found, now } = await lockAttempts(sql, [account, address])
    const decided = [
      { subject: account, decision: countAttempt(found[0], accountRule, now) },
      { subject: address, decision: countAttempt(found[1], addressRule, now) },
    ]
    const waitMs = Math.max(0, ...decided.map(({ decision }) => ('waitMs' in decision ? decision.waitMs : 0)))
    if (waitMs > 0) throw throttled(waitMs)
    for (const { subject, decision } of decided)
      if ('counted' in decision) await saveAttempts(sql, subject, decision.counted)
  })
  const verified = await verify()
  if (verified === undefined) return undefined
  await database.inTransaction(async (sql) => {
    const { found } = await lockAttempts(sql, [account, address])
    await deleteAttempts(sql, account)
    if (found[1]) await saveAttempts(sql, address, takeBackAttempt(found[1], addressRule))
  })
  return verified
}

/** Whoever has a link is not guessing. */
export const forgetAttempts = (sql: Sql, account: string): Promise<void> =>
  deleteAttempts(sql, subjectOf('account', account))

const throttled = (waitMs: number) =>
  new ThrottledError(
    'throttled',
    'Too many attempts to sign in; the header retry-after says when to go on.',
    waitMs,
  )

/** Twenty bits: a million subjects of a kind at most, and two that share one only share their waiting. */
const subjectOf = (kind: string, name: string): string => `${kind}:${hash('sha256', name, 'hex').slice(0, 5)}`

/** Whoever has one IPv6 address has all of its network. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length)
  return [...groups, ...Array(zeros).fill('0'), ...rest].slice(0, 4).join(':')
}
