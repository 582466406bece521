// A shell that waits for the end of a pipe from us and then stops PostgreSQL: it ends with the service however the service ends.
import { spawn } from 'node:child_process'
import type { ServerUser } from './server-user.ts'

type Watchdog = { dismiss(): void }

const script = 'read -r line && exit 0; kill -INT "$1"'

export function startWatchdog(postmasterPid: number, user: ServerUser): Watchdog {
  const child = spawn('/bin/sh', ['-c', script, 'tollkeeper-watchdog', String(postmasterPid)], {
    cwd: '/',
    // In a session of its own no Ctrl-C or hang-up that ends us ends it as well.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...user,
  })
  // Without a shell PostgreSQL would merely outlive a crash, and the next start finds it.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.unref()
  return { dismiss: () => child.stdin.end('dismissed\n') }
}
