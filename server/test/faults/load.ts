// Load with a memory: callers that repeat themselves under the same key until they are answered, and a check that every answer
// was kept and nothing was counted twice.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { auditLedger } from '../../src/storage/audit/audit-ledger.ts'
import type { Answer } from '../service.ts'

const callers = 16
const customers = 20
const patienceMs = 120_000
// Five seconds are promised, and our clock for them is 4.5: the rest is for a busy machine.
export const promisedMs = 7_000
// Ten seconds are promised.
export const healedWithinMs = 15_000

export const apiKey = 'tk_test_fault_run_key_0123456789'

/** What a service under faults is started with, beside where its database is. */
export const variables = {
  TOLLKEEPER_DEMO: '0',
  TOLLKEEPER_TEST_API_KEY: apiKey,
  RATE_LIMIT_ALL: '0',
  LOG_LEVEL: 'silent',
}

export type Load = {
  ask(method: string, path: string, body?: object): Promise<Pick<Answer, 'status' | 'body'>>
  /** Calls while the fault is under way, then looks whether all is there; says what it saw. */
  during(run: string, fault: () => Promise<string>): Promise<string>
}

type Tally = { answered: Map<string, number>; events: number; retries: number; slowestMs: number }

/** `url` is asked for every time: a service may come back elsewhere. */
export async function prepareLoad(
  url: () => string,
  getConnection: () => Promise<pg.ClientConfig>,
): Promise<Load> {
  const expected = new Map<string, number>()

  async function ask(method: string, path: string, body?: object) {
    const response = await fetch(`${url()}${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(12_000),
    })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }

  /** Each caller sends one event after the other and goes on with the next only when this one was answered. */
  async function call(name: string, tally: Tally, isOver: () => boolean): Promise<void> {
    for (let count = 0; !isOver(); count++) {
      const customerId = `c${Math.floor(Math.random() * customers)}`
      await record(customerId, `${name}-${count}`, tally)
      tally.events++
      tally.answered.set(customerId, (tally.answered.get(customerId) ?? 0) + 1)
    }
  }

  async function record(customerId: string, eventKey: string, tally: Tally): Promise<void> {
    const giveUpAt = Date.now() + patienceMs
    for (;;) {
      const event = { customerId, featureKey: 'f', eventKey }
      const askedAt = Date.now()
      const answer = await ask('POST', '/v1/usage', event).catch(() => undefined)
      const waitedMs = Date.now() - askedAt
      // Who is killed answers nobody, but whoever waited for it knows at once.
      assert.ok(waitedMs < promisedMs, `waited for ${waitedMs} ms`)
      tally.slowestMs = Math.max(tally.slowestMs, waitedMs)
      if (answer?.status === 200) return
      if (answer) assertRefused(answer)
      assert.ok(Date.now() < giveUpAt, 'the service did not heal')
      tally.retries++
      await sleep(20 + Math.random() * 80)
    }
  }

  async function readUsed(customerId: string): Promise<number | undefined> {
    let used: number | undefined
    // The last blow may have fallen just now.
    await waitUntil('healed', healedWithinMs, async () => {
      const answer = await ask('GET', `/v1/feature-access?customerId=${customerId}`).catch(() => undefined)
      if (answer?.status === 200) used = answer.body.f.usage.used
      else if (answer) assertRefused(answer)
      return used !== undefined
    })
    return used
  }

  async function check(): Promise<void> {
    for (const [customerId, used] of expected) assert.equal(await readUsed(customerId), used, customerId)
    const differences: string[] = []
    await auditLedger(await getConnection(), (difference) => differences.push(JSON.stringify(difference)))
    assert.deepEqual(differences, [])
  }

  async function during(run: string, fault: () => Promise<string>): Promise<string> {
    const tally: Tally = { answered: new Map(), events: 0, retries: 0, slowestMs: 0 }
    let isOver = false
    const calling = Promise.all(
      Array.from({ length: callers }, (_, caller) => call(`${run}-${caller}`, tally, () => isOver)),
    )
    // Awaited below, whatever the fault does.
    calling.catch(() => {})
    let seen: string
    try {
      seen = await fault()
    } finally {
      isOver = true
      await calling
    }
    for (const [customerId, count] of tally.answered)
      expected.set(customerId, (expected.get(customerId) ?? 0) + count)
    await check()
    return `${seen}, ${tally.events} events, ${tally.retries} retries, ${tally.slowestMs} ms at most`
  }

  await ask('POST', '/v1/features', { featureKey: 'f', name: 'F', type: 'limit' })
  for (let n = 0; n < customers; n++) await ask('POST', '/v1/customers', { customerId: `c${n}` })
  return { ask, during }
}

export function assertRefused({ status, body }: Pick<Answer, 'status' | 'body'>): void {
  assert.equal(status, 503, JSON.stringify(body))
  assert.match(body.error, /\w/)
}

/** Polls: a fault is over when the service says so, not after some time. */
export async function waitUntil(
  what: string,
  limitMs: number,
  isTrue: () => boolean | Promise<boolean>,
): Promise<number> {
  const startedAt = Date.now()
  while (!(await isTrue())) {
    assert.ok(Date.now() - startedAt < limitMs, `not within ${limitMs} ms: ${what}`)
    await sleep(50)
  }
  return Date.now() - startedAt
}
