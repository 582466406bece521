// The live log of requests: over all instances, without secrets, at most so many a second, and ended with the session or the service.
import assert from 'node:assert/strict'
import { request as send } from 'node:http'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { redact } from '../../src/http/request-line.ts'
import { packLines, type RequestLine } from '../../src/operations/requests/request-log.ts'
import { longestMessage } from '../../src/storage/requests/channel.ts'
import { type Browser, type DashboardService, startDashboardService } from './dashboard-fixture.ts'

let service: DashboardService
before(async () => {
  service = await startDashboardService({ instances: 2 })
})
after(() => service.close())

type Watch = {
  status: number
  lines: (RequestLine & { keyName: string | null })[]
  dropped: number
  text: string
  isEnded: boolean
  close(): void
}

const open = new Set<Watch>()
afterEach(() => {
  for (const seen of open) seen.close()
  open.clear()
})

function watch(browser: Browser, environment = 'test', instance = 0): Promise<Watch> {
  const { hostname, port } = new URL(service.urls[instance] as string)
  const path = `/dashboard/api/${environment}/requests`
  return new Promise((resolve, reject) => {
    const headers = { cookie: browser.cookie ?? '' }
    const outgoing = send({ agent: false, hostname, port, path, headers }, (incoming) => {
      const seen: Watch = {
        status: incoming.statusCode as number,
        lines: [],
        dropped: 0,
        text: '',
        isEnded: false,
        close: () => outgoing.destroy(),
      }
      let rest = ''
      incoming.on('data', (chunk) => {
        seen.text += chunk
        const events = `${rest}${chunk}`.split('\n\n')
        rest = events.pop() as string
        for (const event of events) {
          const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? []
          if (name === 'request') seen.lines.push(JSON.parse(data as string))
          if (name === 'dropped') seen.dropped += JSON.parse(data as string).count
        }
      })
      incoming.on('close', () => {
        seen.isEnded = true
      })
      incoming.on('error', () => {})
      open.add(seen)
      resolve(seen)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadlineAt = Date.now() + 20_000
  while (!(await isSo())) {
    assert.ok(Date.now() < deadlineAt, what)
    await sleep(20)
  }
}

const isWatched = (instance: number) => service.instances[instance]?.services.requestLog.isWatched === true

describe('watching', () => {
  it('shows what any instance answered, with its key, and only of its environment', async () => {
    const seen = await watch(service.admin)
    assert.equal(seen.status, 200)
    await until(() => isWatched(0) && isWatched(1), 'both instances know')
    await service.request('GET', '/v1/features', { key: service.keys.live, instance: 1 })
    const body = { featureKey: 'seen', name: 'x', type: 'limit' }
    const made = await service.request('POST', '/v1/features', { body, instance: 1 })
    const refused = await service.request('GET', '/v1/customers/nobody?x=1', { instance: 0 })
    const wrong = await service.request('POST', '/v1/features', { body, key: service.keys.testRead })
    const idOf = (answer: typeof made) => String(answer.headers['x-request-id'])
    const find = (answer: typeof made) => seen.lines.find(({ requestId }) => requestId === idOf(answer))
    await until(() => Boolean(find(made) && find(refused) && find(wrong)), 'the lines come')
    const line = find(made) as Watch['lines'][number]
    assert.deepEqual(
      [line.method, line.path, line.route, line.status],
      ['POST', '/v1/features', '/v1/features', 201],
    )
    assert.deepEqual(JSON.parse(line.body as string), body)
    assert.deepEqual(JSON.parse(line.answer as string), made.body)
    assert.ok(line.ms >= 0 && Math.abs(line.at - Date.now()) < 60_000)
    const failed = find(refused)
    assert.deepEqual(
      [failed?.route, failed?.code],
      ['/v1/customers/{customerId}', refused.headers['x-error-code']],
    )
    assert.equal(find(wrong)?.code, 'read_only_key')
    assert.ok(!seen.lines.some(({ keyId }) => keyId === undefined))
    assert.ok(!seen.text.includes('live full'))
    // Names are looked up beside; a line may come before them.
    await until(async () => {
      await service.request('GET', '/v1/features')
      return seen.lines.some(({ keyName }) => keyName === 'test full')
    }, 'the key has its name')
    seen.close()
  })

  it('shows no secrets, wherever callers put them', async () => {
    const seen = await watch(service.admin)
    await until(() => isWatched(0), 'it is known')
    const secret = service.keys.test.slice(8)
    const body = { featureKey: 'x', name: service.keys.test, password: 'hunter2 of mine', type: 'limit' }
    await service.request('POST', '/v1/features', { body })
    for (const before of ['key%20', '%22', 'KEY_', '0'])
      await service.request('GET', `/v1/customers?search=${before}${service.keys.test}`)
    await service.request('GET', `/v1/customers?search=tk%5Ftest_${secret}`)
    await service.request('GET', '/v1/customers?api_key=hunter2&token=hunter2')
    const last = await service.request('GET', `/v1/nowhere?key=${service.keys.test}`)
    await until(() => seen.text.includes(String(last.headers['x-request-id'])), 'it comes')
    assert.ok(!seen.text.includes(secret) && !seen.text.includes('hunter2'))
    assert.match(seen.text, /tk_test_…/)
    seen.close()
  })

  it('shows fifty a second, and says how many more there were', async () => {
    const seen = await watch(service.admin)
    await until(() => isWatched(0) && isWatched(1), 'it is known')
    const before = seen.lines.length
    const startedAt = Date.now()
    await Promise.all(
      Array.from({ length: 400 }, (_, index) =>
        service.request('GET', '/v1/features', { instance: index % 2 }),
      ),
    )
    await until(() => seen.lines.length - before + seen.dropped >= 400, 'all are accounted for')
    const seconds = (Date.now() - startedAt) / 1000
    assert.equal(seen.lines.length - before + seen.dropped, 400)
    assert.ok(seen.lines.length - before <= 50 * (seconds + 1))
    seen.close()
  })

  it('costs nothing once nobody watches', async () => {
    await until(() => !isWatched(0) && !isWatched(1), 'all instances forget')
  })

  it('ends with the session, and is not for whoever is signed out', async () => {
    assert.equal((await watch(service.openBrowser())).status, 401)
    const browser = await service.join('leaver@example.com', 'read')
    const seen = await watch(browser)
    assert.equal(seen.status, 200)
    await service.query(`delete from person where email = 'leaver@example.com'`)
    await until(() => seen.isEnded, 'the stream ends')
  })

  it('is for so many at a time, and makes room again', async () => {
    const all = await Promise.all(Array.from({ length: 21 }, () => watch(service.admin)))
    assert.equal(all.filter(({ status }) => status === 200).length, 20)
    assert.equal(all.filter(({ status }) => status === 503).length, 1)
    for (const seen of all) seen.close()
    await until(async () => {
      const next = await watch(service.admin)
      next.close()
      return next.status === 200
    }, 'there is room')
  })

  it('survives the loss of its connection', async () => {
    const seen = await watch(service.admin)
    await service.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%' or query like '%pg_notify%' and pid <> pg_backend_pid()`,
    )
    await until(async () => {
      await service.request('GET', '/v1/features', { instance: 1 })
      return seen.lines.length > 0
    }, 'lines come again')
    seen.close()
  })

  it('does not keep the service from closing', async () => {
    const own = await startDashboardService()
    const { hostname, port } = new URL(own.urls[0] as string)
    const headers = { cookie: own.admin.cookie ?? '' }
    const ended = new Promise<void>((resolve, reject) => {
      const outgoing = send(
        { agent: false, hostname, port, path: '/dashboard/api/test/requests', headers },
        (incoming) => {
          incoming.on('end', resolve).resume()
          own.close().catch(reject)
        },
      )
      outgoing.end()
    })
    await ended
  })
})

describe('redact', () => {
  it('hides what sounds like a secret, not what is measured in tokens', () => {
    const value = {
      clientSecret: 'x',
      nested: [{ api_key: 'y', 'Set-Cookie': 'z' }],
      accessToken: 'a',
      tokens: 5,
      url: 'https://pay',
      email: 'a@b.io',
      text: 'sk_live_abcdefgh and tk_test_abcdefghijk',
      returnUrl: 'https://jo:pa55word@app.test/back?token=abcdef&page=2',
      hook: 'whsec_abcdefgh',
    }
    assert.deepEqual(JSON.parse(redact(value)), {
      clientSecret: '(hidden)',
      nested: [{ api_key: '(hidden)', 'Set-Cookie': '(hidden)' }],
      accessToken: '(hidden)',
      tokens: 5,
      url: '(hidden)',
      email: 'a@b.io',
      text: 'sk_live_… and tk_test_…',
      returnUrl: 'https://jo:…@app.test/back?token=…&page=2',
      hook: 'whsec_…',
    })
  })

  it('cuts at two kilobytes, and leaves what cannot be written', () => {
    const text = redact({ a: 'é'.repeat(5_000) })
    assert.ok(Buffer.byteLength(text) <= 2_048 + 3 && text.endsWith('é…'))
    let deep: unknown = 1
    for (let index = 0; index < 50_000; index++) deep = [deep]
    assert.equal(redact(deep), '(not shown)')
  })
})

describe('packLines', () => {
  const line = (size: number): RequestLine => ({
    requestId: 'r',
    at: 1,
    method: 'GET',
    path: '/',
    route: null,
    status: 200,
    ms: 1,
    keyId: 'k',
    code: null,
    body: '"\u0001'.repeat(size),
    answer: null,
  })

  it('keeps every message within what PostgreSQL takes, and loses no line', () => {
    const lines = [10, 900, 10, 400, 5_000, 1].map(line)
    const messages = packLines('test', lines, 7)
    for (const message of messages) assert.ok(Buffer.byteLength(message) <= longestMessage)
    const read = messages.map((message) => JSON.parse(message))
    assert.equal(read.flatMap((message) => message.lines).length, lines.length)
    assert.equal(
      read.reduce((sum, message) => sum + message.dropped, 0),
      7,
    )
  })
})
