// Which system user PostgreSQL runs as. It refuses root, so as root it gets an unprivileged user, and what that user can reach matters.
import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from './start-error.ts'

/** `undefined` stands for the user we are ourselves. */
export type ServerUser = { uid: number; gid: number } | undefined

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** initdb looks its user up by name, so the user must be listed, not merely be an unused number. */
export function getUnprivilegedUser(): { uid: number; gid: number } {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody')
  if (entry === undefined) {
    throw new StartError(
      'PostgreSQL does not run as root and this machine has no user "nobody" to run it as; start Tollkeeper as an ordinary user, or set DATABASE_URL.',
    )
  }
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

function mayEnter(stats: Stats, user: { uid: number; gid: number }): boolean {
  if (stats.uid === user.uid) return (stats.mode & 0o100) !== 0
  if (stats.gid === user.gid) return (stats.mode & 0o010) !== 0
  return (stats.mode & 0o001) !== 0
}

/** Whether the user can get to a folder or run a program: every step of its real path must let the user through. */
export function isReachable(path: string, user: ServerUser): boolean {
  if (user === undefined) return true
  for (let step = realpathSync(path); ; step = dirname(step)) {
    if (!mayEnter(statSync(step), user)) return false
    if (step === dirname(step)) return true
  }
}
