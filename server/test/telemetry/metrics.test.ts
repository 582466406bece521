// /metrics: what it counts is what happened, nobody is named in it, and the dashboard that comes with it asks for what is there.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Answer, call, startTestService } from '../service.ts'
import { startUsageFixture, type UsageFixture } from '../usage/usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture({ now: null })
})
after(() => fixture.close())

const ask = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(undefined, url, 'GET', '/metrics', undefined, headers)

type Samples = Map<string, number>

const sampleForm = /^([a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\.)*",?)+\})?) (-?[\d.e+-]+|NaN)$/

/** Every line is a comment about a family or a sample; each family is described before its samples. */
function parse(text: string): Samples {
  const samples: Samples = new Map()
  const described = new Set<string>()
  for (const line of text.trimEnd().split('\n')) {
    const [, kind, name] = /^# (HELP|TYPE) ([a-z_]+) \S/.exec(line) ?? []
    if (kind === 'TYPE') described.add(name as string)
    if (kind !== undefined) continue
    const [, series = '', value = ''] = sampleForm.exec(line) ?? assert.fail(`no sample: ${line}`)
    const family = series.replace(/\{.*/, '')
    assert.ok(described.has(family) || described.has(family.replace(/_(bucket|sum|count)$/, '')), line)
    assert.ok(!samples.has(series), `twice: ${series}`)
    samples.set(series, Number(value))
  }
  return samples
}

async function read(): Promise<Samples> {
  const { status, text, headers } = await ask(fixture.service.urls[0] as string)
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  return parse(text)
}

const total = (samples: Samples, series: string) => samples.get(series) ?? 0

describe('GET /metrics', () => {
  it('counts requests by route and status, with their times', async () => {
    const customerId = await fixture.makeCustomer()
    const seriesOf = (status: number, what = 'count') =>
      `tollkeeper_http_request_duration_seconds_${what}{method="GET",route="/v1/feature-access",status="${status}"}`
    const before = await read()
    for (let count = 0; count < 3; count++) await fixture.entry(customerId)
    await fixture.request('GET', '/v1/feature-access?customerId=nobody')
    const after = await read()
    assert.equal(total(after, seriesOf(200)) - total(before, seriesOf(200)), 3)
    assert.equal(total(after, seriesOf(404)) - total(before, seriesOf(404)), 1)
    assert.ok(total(after, seriesOf(200, 'sum')) > total(before, seriesOf(200, 'sum')))
    const last =
      'tollkeeper_http_request_duration_seconds_bucket{method="GET",route="/v1/feature-access",status="200",le="+Inf"}'
    assert.equal(after.get(last), after.get(seriesOf(200)))
  })

  it('counts what no route has under one name, whatever was asked', async () => {
    for (const path of ['/one', '/two?customerId=three']) await fixture.request('GET', path)
    const samples = await read()
    assert.ok(
      total(
        samples,
        'tollkeeper_http_request_duration_seconds_count{method="any",route="none",status="404"}',
      ) >= 2,
    )
    assert.ok(![...samples.keys()].some((series) => /\/one|\/two|three/.test(series)))
  })

  it('tells writes that memory decided from those under the lock, and the sizes of batches', async () => {
    const customerId = await fixture.makeCustomer()
    await fixture.record(customerId, 'first')
    const before = await read()
    for (const key of ['a', 'b']) await fixture.record(customerId, key)
    // Only what is stored can tell a repeated key.
    await fixture.record(customerId, 'a')
    const after = await read()
    const rose = (series: string) => total(after, series) - total(before, series)
    assert.equal(rose('tollkeeper_writes_total{way="memory"}'), 2)
    assert.equal(rose('tollkeeper_writes_total{way="locked"}'), 1)
    assert.equal(rose('tollkeeper_batch_size_count{queue="admit_write"}'), 3)
    assert.equal(rose('tollkeeper_batch_size_sum{queue="admit_write"}'), 3)
    assert.equal(rose('tollkeeper_statement_duration_seconds_count{statement="admit"}') > 0, true)
    assert.ok(rose('tollkeeper_transaction_duration_seconds_count') >= 1)
    assert.equal(after.get('tollkeeper_queue_waiting{queue="write"}'), 0)
  })

  it('shows connections, held states, the process and its event loop', async () => {
    await fixture.entry(await fixture.makeCustomer())
    const samples = await read()
    assert.equal(samples.get('tollkeeper_database_up'), 1)
    assert.ok(total(samples, 'tollkeeper_database_connections{use="hot"}') >= 2)
    assert.ok(total(samples, 'tollkeeper_held_states') >= 1)
    assert.ok(total(samples, 'process_resident_memory_bytes') > 1e7)
    assert.ok(samples.has('tollkeeper_event_loop_delay_seconds{quantile="0.99"}'))
    assert.ok(total(samples, 'tollkeeper_event_loop_utilization') <= 1)
  })

  it('names no customer, no key and no secret', async () => {
    const customerId = 'very-own-customer-name'
    await fixture.make('POST', '/v1/customers', { customerId, customProductKeys: ['plan'] })
    await fixture.record(customerId, 'a')
    await fixture.request('GET', `/v1/customers/${customerId}`)
    const { text } = await ask(fixture.service.urls[0] as string)
    assert.match(text, /route="\/v1\/customers\/:customerId"/)
    assert.doesNotMatch(text, /very-own|tk_test|customer-\d/)
  })

  it('tells how late jobs are', async () => {
    // Live has no provider here, so that nobody works its inbox off.
    const service = await startTestService({ variables: { TOLLKEEPER_SIMULATE_LIVE: '0' } })
    const dueAt = Date.now() - 90_000
    await service.query(
      `insert into provider_event (environment, event_id, type, subject_kind, subject_id, created_at, received_at, due_at)
       values ('live', 'evt_1', 'x', 'customer', 'c', $1, $1, $1), ('live', 'evt_2', 'x', 'customer', 'c', $1, $1, $1 + 1)`,
      [dueAt],
    )
    const samples = parse((await ask(service.urls[0] as string)).text)
    await service.close()
    assert.equal(samples.get('tollkeeper_backlog{job="inbox"}'), 2)
    assert.ok(total(samples, 'tollkeeper_backlog_lag_seconds{job="inbox"}') >= 90)
    assert.equal(samples.get('tollkeeper_backlog{job="customer_purges"}'), 0)
  })
})

describe('who may read it', () => {
  it('this machine alone while there is no token, and nobody through a proxy', async () => {
    const url = fixture.service.urls[0] as string
    assert.equal((await ask(url)).status, 200)
    for (const name of ['x-forwarded-for', 'forwarded', 'via']) {
      const answer = await ask(url, { [name]: '127.0.0.1' })
      assert.deepEqual([answer.status, answer.headers['x-error-code']], [403, 'metrics_closed'])
    }
  })

  it('whoever has the token, where there is one', async () => {
    const service = await startTestService({ variables: { METRICS_TOKEN: 'a-token-for-scraping' } })
    const url = service.urls[0] as string
    const statuses = [
      await ask(url),
      await ask(url, { authorization: 'Bearer another-token-entirely' }),
      await ask(url, { authorization: 'Bearer a-token-for-scraping', 'x-forwarded-for': '203.0.113.9' }),
    ].map(({ status }) => status)
    await service.close()
    assert.deepEqual(statuses, [401, 401, 200])
  })
})

describe('docs/grafana/tollkeeper.json', () => {
  type Panel = { title: string; targets?: { expr: string }[] }
  const file = join(import.meta.dirname, '../../../docs/grafana/tollkeeper.json')
  const dashboard = JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[]; annotations: object }
  const words = (text: string) => text.match(/\b(tollkeeper|process|nodejs)_[a-z_]+/g) ?? []

  it('asks only for metrics and labels that are there, and for every family', async () => {
    await fixture.record(await fixture.makeCustomer(), 'a')
    const { text } = await ask(fixture.service.urls[0] as string)
    const described = new Set([...text.matchAll(/^# TYPE ([a-z_]+)/gm)].map((match) => match[1] as string))
    const asked = new Set(words(JSON.stringify(dashboard)))
    const toFamily = (name: string) => (described.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))
    assert.deepEqual(
      [...asked].filter((name) => !described.has(toFamily(name))),
      [],
    )
    const shown = new Set([...asked].map(toFamily))
    assert.deepEqual(
      [...described].filter((name) => !shown.has(name)),
      [],
    )
    const labels = new Set([...text.matchAll(/[{,]([a-z]+)="/g)].map((match) => match[1] as string))
    for (const { title, targets = [] } of dashboard.panels)
      for (const { expr } of targets)
        for (const [, list = ''] of expr.matchAll(/by \(([^)]*)\)/g))
          for (const label of list.split(', ')) assert.ok(labels.has(label), `${title}: ${label}`)
  })
})
