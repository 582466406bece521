// An instance in a process of its own, over a test's database: one that can be killed, or whose clock is wrong.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startCommand, toDatabaseUrl } from '../cli/command.ts'
import { type Answer, call, type TestService } from '../service.ts'

export type ChildService = {
  request(method: string, path: string, body?: object): Promise<Answer>
  kill(): Promise<void>
  close(): Promise<void>
}

/** Is let in with the keys of the test's own instances; its clock is ahead by `shiftMs`. */
export async function startChildService(
  { database, keys }: TestService,
  { shiftMs = 0 } = {},
): Promise<ChildService> {
  const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href
  const { child, ended, url } = await startCommand({
    DATABASE_URL: toDatabaseUrl(database.connection),
    LOG_LEVEL: 'silent',
    RATE_LIMIT_ALL: '0',
    TOLLKEEPER_DEMO: '0',
    ...(shiftMs === 0 ? {} : { NODE_OPTIONS: `--import ${preload}`, CLOCK_SHIFT_MS: String(shiftMs) }),
  })
  const end = (signal: 'SIGTERM' | 'SIGKILL') => async () => {
    child.kill(signal)
    await ended
  }
  return {
    request: (method, path, body) =>
      call(undefined, url, method, path, body && JSON.stringify(body), {
        'x-api-key': keys.test,
        ...(body ? { 'content-type': 'application/json' } : {}),
      }),
    kill: end('SIGKILL'),
    close: end('SIGTERM'),
  }
}

/** What was made, or why it was not. */
export function assertMade({ status, text }: Answer): void {
  assert.ok(status < 300, `${status} ${text}`)
}
