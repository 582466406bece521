// The people of an installation, and the one place that says what a role may.
import type { Environment } from '../environment.ts'

export const roles = ['admin', 'member', 'read'] as const
export type Role = (typeof roles)[number]

export type Person = {
  personId: string
  /** In lower case. */
  email: string
  name: string | null
  role: Role
}

/**
 * What a route asks of whoever calls it: nothing at all, being signed in (for what is one's own), reading, changing what an
 * environment holds, handling its keys, or being an admin.
 */
export type RouteAccess = 'anyone' | 'own' | 'read' | 'write' | 'keys' | 'admin'

export type Refusal = { code: 'read_only_person' | 'admin_only'; message: string }

const readOnly: Refusal = { code: 'read_only_person', message: 'Your role may only read; ask an admin.' }
const adminOnly: Refusal = { code: 'admin_only', message: 'Only an admin may do this.' }

/** Undefined where the role may; `environment` is undefined for what is of the installation. */
export function findRefusal(
  role: Role,
  access: RouteAccess,
  environment: Environment | undefined,
): Refusal | undefined {
  if (role === 'admin' || access === 'anyone' || access === 'own' || access === 'read') return undefined
  if (access === 'admin') return adminOnly
  if (role === 'read') return readOnly
  // A key of live opens what customers pay for to whoever holds it.
  return access === 'keys' && environment !== 'test' ? adminOnly : undefined
}

export const actorOf = ({ email }: Pick<Person, 'email'>): string => `person:${email}`

/** As addresses are compared and stored. */
export const toEmail = (text: string): string => text.trim().toLowerCase()

/** What somebody is called who gave no name. */
export const nameFromEmail = (email: string): string => email.split('@')[0] as string

const shortest = 10
const longest = 200

/** What is wrong with a new password, as the end of a sentence. */
const fewestDifferent = 5

export function findPasswordFault(password: string, email: string): string | undefined {
  const length = [...password].length
  if (length < shortest) return `must have at least ${shortest} characters`
  if (length > longest) return `must have at most ${longest} characters`
  if (!password.isWellFormed() || /\p{Cc}/u.test(password)) return 'must have no control characters'
  if (new Set(password).size < fewestDifferent)
    return `must have at least ${fewestDifferent} different characters`
  return toEmail(password) === email ? 'must not be the email address' : undefined
}
