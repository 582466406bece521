// The network between service and database: replies lost after the commit, and a black hole of twenty seconds.
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@tollkeeper/embedded-postgres'
import { startCommand } from '../cli/command.ts'
import { createTestFolder } from '../database.ts'
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts'
import { assertRefused, type Load, prepareLoad, promisedMs, variables, waitUntil } from './load.ts'
import type { Report } from './run.ts'

const lostShare = 0.2
const blackHoleMs = 20_000
const requestsPerSecond = 300
const healedWithinMs = 10_000
// At rest it is about 120 MB; a request that waits costs about 10 kB, and at most some ten thousand wait.
const memoryLimitMb = 300

export async function runBrokenNetwork(seconds: number, report: Report): Promise<void> {
  const dataDir = createTestFolder()
  const postgres = await startEmbeddedPostgres({ dataDir })
  const proxy = await openDatabaseProxy(postgres.connection)
  const { user, password, port, database } = proxy.connection
  const DATABASE_URL = `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  const service = await startCommand({ ...variables, DATABASE_URL })
  try {
    const load = await prepareLoad(
      () => service.url,
      async () => postgres.connection,
    )
    await report('replies lost after the commit', () =>
      load.during('lost', () => loseReplies(proxy, seconds)),
    )
    await report('a black hole', () =>
      load.during('hole', () => openBlackHole(proxy, load, service.child.pid as number)),
    )
  } finally {
    proxy.mend()
    service.child.kill('SIGTERM')
    await service.ended
    await proxy.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function loseReplies(proxy: DatabaseProxy, seconds: number): Promise<string> {
  let lost = 0
  proxy.loseReplies(() => {
    const isLost = Math.random() < lostShare
    if (isLost) lost++
    return isLost
  })
  await sleep(seconds * 1000)
  proxy.loseReplies(() => false)
  assert.ok(lost > 0, 'no reply was lost')
  return `${lost} replies`
}

/** More callers than the service can answer: each that was sent after the hole opened is refused in time. */
async function openBlackHole(proxy: DatabaseProxy, load: Load, pid: number): Promise<string> {
  const waits: Promise<number>[] = []
  let largestMb = 0
  proxy.swallow()
  const closesAt = Date.now() + blackHoleMs
  // Those sent near its end may find it closed.
  while (Date.now() < closesAt - promisedMs) {
    waits.push(...Array.from({ length: requestsPerSecond / 10 }, (_, n) => waitForRefusal(load, n)))
    await sleep(100)
    largestMb = Math.max(largestMb, findMemoryMb(pid))
  }
  const slowestMs = Math.max(...(await Promise.all(waits)))
  largestMb = Math.max(largestMb, findMemoryMb(pid))
  await sleep(Math.max(0, closesAt - Date.now()))
  proxy.mend()
  const healedMs = await waitUntil('healed', healedWithinMs, async () => {
    const answer = await load.ask('GET', '/v1/feature-access?customerId=c0')
    if (answer.status !== 200) assertRefused(answer)
    return answer.status === 200
  })
  assert.ok(slowestMs < promisedMs, `refused after ${slowestMs} ms`)
  assert.ok(largestMb < memoryLimitMb, `${largestMb} MB`)
  return `${waits.length} refused, the slowest after ${slowestMs} ms, ${largestMb} MB at most, healed after ${healedMs} ms`
}

async function waitForRefusal(load: Load, n: number): Promise<number> {
  const startedAt = Date.now()
  const event = { customerId: `c${n % 20}`, featureKey: 'f', eventKey: `refused-${n}` }
  const answer =
    n % 2 === 0
      ? await load.ask('GET', `/v1/feature-access?customerId=c${n % 20}`)
      : await load.ask('POST', '/v1/usage/batch', { events: [{ ...event, amount: 0 }] })
  assertRefused(answer)
  return Date.now() - startedAt
}

/** Zero where there is no /proc. */
function findMemoryMb(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0
  }
}
