// The rate limit: exact over all instances, per key, and told in headers.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey, revokeApiKey } from '../../src/operations/keys/api-keys.ts'
import { type Answer, startTestService, type TestService } from '../service.ts'

const windowMs = 10_000

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2, limits: { all: 1000, write: 500 } })
})
after(() => service.close())

/** All that follows within this time falls into one window. */
async function waitForWindow(neededMs: number): Promise<void> {
  const leftMs = windowMs - (Date.now() % windowMs)
  if (leftMs < neededMs) await sleep(leftMs + 20)
}

async function makeKey() {
  const database = service.instances[0]?.services.database
  assert.ok(database)
  const input = { environment: 'test' as const, name: 'x', scope: 'full' as const, expiresAt: null }
  const key = await createApiKey(database, { actor: 'test', now: Date.now() }, input)
  const revoke = () =>
    revokeApiKey(database, { actor: 'test', now: Date.now() }, { environment: 'test', keyId: key.keyId })
  return { secret: key.secret, revoke }
}

const read = (key: string, instance = 0) => service.request('GET', '/v1/features', { key, instance })
// A write that finds nothing to change, so that the limiter is all that is measured.
const write = (key: string, instance = 0) =>
  service.request('DELETE', '/v1/customers/nobody', { key, instance })

async function storm(count: number, send: (index: number) => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (next < count) statuses.push((await send(next++)).status)
    }),
  )
  return statuses
}

type Filled = { key: string; writes: number[]; reads: number[]; refused: Answer }

/** Tries again, with a key of its own, when a busy machine did not get it all into one window. */
async function fillOneWindow(): Promise<Filled> {
  for (let tries = 1; tries <= 4; tries++) {
    const { secret: key } = await makeKey()
    await waitForWindow(tries === 1 ? 6_000 : windowMs)
    const windowAt = Math.floor(Date.now() / windowMs)
    const writes = await storm(700, (index) => write(key, index % 2))
    const reads = await storm(700, (index) => read(key, index % 2))
    const refused = await read(key)
    if (Math.floor(Date.now() / windowMs) === windowAt) return { key, writes, reads, refused }
  }
  throw new Error('1400 requests took longer than a window, four times')
}

const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length

describe('429', () => {
  it('lets exactly 1000 requests in a window, 500 of them writes, over two instances', async () => {
    const other = await makeKey()
    const { key, writes, reads, refused } = await fillOneWindow()
    assert.deepEqual([count(writes, 404), count(writes, 429)], [500, 200])
    // The 200 refused ones counted nowhere: 500 reads are left.
    assert.deepEqual([count(reads, 200), count(reads, 429)], [500, 200])
    assert.equal((await read(other.secret)).status, 200)
    assert.equal((await write(other.secret, 1)).status, 404)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['x-error-code'], 'rate_limited')
    const seconds = Number(refused.headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 10, String(seconds))
    await sleep(windowMs - (Date.now() % windowMs) + 50)
    assert.equal((await read(key)).status, 200)
  })
})

describe('the headers', () => {
  it('tell the policy, what is left and for how long, on successes and errors', async () => {
    const key = await makeKey()
    await waitForWindow(2_000)
    const answers = [await read(key.secret), await write(key.secret, 1), await read(key.secret, 1)]
    const left = answers.map((answer) => {
      assert.equal(answer.headers['ratelimit-policy'], '"all";q=1000;w=10, "write";q=500;w=10')
      const match = /^"all";r=(\d+);t=(\d+), "write";r=(\d+);t=(\d+)$/.exec(String(answer.headers.ratelimit))
      assert.ok(match && Number(match[2]) >= 1 && Number(match[2]) <= 10)
      assert.equal(answer.headers['retry-after'], undefined)
      return [Number(match[1]), Number(match[3])]
    })
    assert.deepEqual(left, [
      [999, 500],
      [998, 499],
      [997, 499],
    ])
  })

  it('count every authenticated request: refused bodies, unknown things, forbidden writes', async () => {
    const { testRead } = service.keys
    await waitForWindow(2_000)
    const left = async (answer: Promise<Answer>) => String((await answer).headers.ratelimit).match(/r=(\d+)/g)
    assert.deepEqual(await left(read(testRead)), ['r=999', 'r=500'])
    assert.deepEqual(await left(write(testRead)), ['r=998', 'r=499'])
    const bad = service.request('GET', '/v1/features?limit=x', { key: testRead })
    assert.deepEqual(await left(bad), ['r=997', 'r=499'])
  })
})

describe('what leads nowhere', () => {
  const nowhere = (key: string | null, method = 'GET', path = '/v1/nothing') =>
    service.request(method, path, { key })

  it('tells the windows of a known key and counts in them: 404, 405 and 413', async () => {
    const { secret } = await makeKey()
    await waitForWindow(3_000)
    const big = { raw: Buffer.alloc(1024 * 1024 + 1, ' '), headers: { 'content-type': 'application/json' } }
    const answers = [
      await nowhere(secret),
      await nowhere(secret, 'POST'),
      await nowhere(secret, 'PATCH', '/v1/features'),
      await nowhere(secret, 'DELETE', '/v1/features'),
      await service.request('POST', '/v1/usage', { key: secret, ...big }),
    ]
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, ...(String(headers.ratelimit).match(/r=\d+/g) ?? [])]),
      [
        [404, 'r=999', 'r=500'],
        [404, 'r=998', 'r=499'],
        [405, 'r=997', 'r=499'],
        [405, 'r=996', 'r=498'],
        [413, 'r=995', 'r=497'],
      ],
    )
    assert.equal(answers[2]?.headers.allow, 'POST, GET, HEAD')
  })

  it('has nothing to tell without a valid key, and serves nobody to guess one', async () => {
    await waitForWindow(4_000)
    const strange = `tk_test_${'x'.repeat(32)}`
    for (const key of [null, strange]) {
      const { status, headers } = await nowhere(key)
      assert.deepEqual([status, headers.ratelimit], [404, undefined])
    }
    const statuses = await storm(300, () => nowhere(strange))
    assert.ok(count(statuses, 429) > 0)
    await sleep(windowMs - (Date.now() % windowMs) + 50)
  })
})

describe('a revoked key', () => {
  it('is refused by every instance from the moment of its revocation', async () => {
    const key = await makeKey()
    for (const instance of [0, 1]) assert.equal((await read(key.secret, instance)).status, 200)
    await key.revoke()
    for (const instance of [0, 1]) assert.equal((await read(key.secret, instance)).status, 401)
  })
})

describe('requests without a valid key', () => {
  it('are limited per address, which leaves those with one alone', async () => {
    await waitForWindow(4_000)
    const statuses = await storm(400, () => service.request('GET', '/v1/features', { key: null }))
    assert.ok(count(statuses, 401) > 0)
    assert.ok(count(statuses, 429) > 0)
    assert.equal(statuses.length, count(statuses, 401) + count(statuses, 429))
    const refused = await service.request('GET', '/v1/features', {
      key: null,
      headers: { 'x-forwarded-for': '10.1.2.3' },
    })
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10'])
    assert.equal((await read(service.keys.test)).status, 200)
  })
})

describe('the numbers', () => {
  it('are the operator’s, and 0 switches the limiter off', async () => {
    const small = await startTestService({ limits: { all: 3, write: 1 } })
    const off = await startTestService()
    try {
      await waitForWindow(2_000)
      const statuses = []
      for (const method of ['PUT', 'PUT', 'GET', 'GET', 'GET']) {
        const body = method === 'PUT' ? { name: 'x' } : undefined
        const answer = await small.request(method, '/v1/features/nothing', { body })
        assert.equal(answer.headers['ratelimit-policy'], '"all";q=3;w=10, "write";q=1;w=10')
        statuses.push(answer.status)
      }
      assert.deepEqual(statuses, [404, 429, 404, 404, 429])
      const answers = await storm(1100, () => off.request('GET', '/v1/features'))
      assert.equal(count(answers, 200), 1100)
      assert.equal((await off.request('GET', '/v1/features')).headers.ratelimit, undefined)
    } finally {
      await small.close()
      await off.close()
    }
  })
})
