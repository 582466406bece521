// The configuration: what nothing gives, what each variable gives, and every mistake at once.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { StartError } from '@tollkeeper/embedded-postgres/start-error'
import { readConfig } from '../src/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-config-'))
after(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

function mistakesOf(variables: Record<string, string>): string[] {
  try {
    readConfig(variables)
  } catch (error) {
    assert.ok(error instanceof StartError)
    return error.message.split('\n')
  }
  return []
}

const apiKey = (environment: string) => `tk_${environment}_${'k'.repeat(24)}`

describe('readConfig', () => {
  it('needs nothing', () => {
    assert.deepEqual(readConfig({}), {
      port: 4100,
      host: '127.0.0.1',
      publicUrl: undefined,
      databaseUrl: undefined,
      dataDir: resolve('.tollkeeper'),
      simulatorPort: 4101,
      simulateLive: false,
      secret: undefined,
      providerKeys: { test: undefined, live: undefined },
      apiKeys: { test: undefined, live: undefined },
      admin: undefined,
      demo: true,
      limits: { all: 1000, write: 500 },
      metricsToken: undefined,
      logLevel: 'info',
    })
  })

  it('takes every variable', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://tolls.example.com/',
      DATABASE_URL: 'postgres://u:p@h:5432/d',
      DATA_DIR: '/data',
      STRIPE_TEST_SECRET_KEY: 'sk_test_abc',
      STRIPE_TEST_WEBHOOK_SECRET: 'whsec_abc',
      STRIPE_LIVE_SECRET_KEY: 'rk_live_abc',
      TOLLKEEPER_TEST_API_KEY: apiKey('test'),
      TOLLKEEPER_LIVE_API_KEY: apiKey('live'),
      TOLLKEEPER_DEMO: '0',
      RATE_LIMIT_ALL: '0',
      RATE_LIMIT_WRITE: '7',
      LOG_LEVEL: 'warn',
      SIMULATOR_PORT: '9000',
      TOLLKEEPER_SECRET: 's'.repeat(32),
    })
    assert.deepEqual([config.simulatorPort, config.secret], [9000, 's'.repeat(32)])
    assert.deepEqual(
      [config.port, config.host, config.publicUrl],
      [8080, '0.0.0.0', 'https://tolls.example.com'],
    )
    assert.deepEqual(config.providerKeys.test, { secretKey: 'sk_test_abc', webhookSecret: 'whsec_abc' })
    assert.deepEqual(config.providerKeys.live, { secretKey: 'rk_live_abc', webhookSecret: undefined })
    assert.deepEqual(config.apiKeys, { test: apiKey('test'), live: apiKey('live') })
    assert.deepEqual([config.limits, config.demo, config.logLevel], [{ all: 0, write: 7 }, false, 'warn'])
    assert.deepEqual([config.databaseUrl, config.dataDir], ['postgres://u:p@h:5432/d', '/data'])
  })

  it('takes an empty variable for an absent one', () => {
    assert.deepEqual(readConfig({ PORT: '', LOG_LEVEL: '', STRIPE_TEST_SECRET_KEY: '' }), readConfig({}))
  })

  it('reads any variable from the file that its _FILE form names', () => {
    const config = readConfig({
      PORT_FILE: write('port', '81\n'),
      TOLLKEEPER_TEST_API_KEY_FILE: write('key', `  ${apiKey('test')}\n`),
      DATABASE_URL_FILE: write('url', 'postgresql://h/d\n'),
      HOST_FILE: write('empty', '\n'),
    })
    assert.deepEqual([config.port, config.apiKeys.test], [81, apiKey('test')])
    assert.deepEqual([config.databaseUrl, config.host], ['postgresql://h/d', '127.0.0.1'])
  })

  it('reports every mistake at once, a line each, and repeats no secret', () => {
    const secret = 'hunter2'
    const mistakes = mistakesOf({
      PORT: '65536',
      PUBLIC_URL: 'ftp://x',
      DATABASE_URL: `mysql://root:${secret}@h/d`,
      STRIPE_TEST_SECRET_KEY: `pk_test_${secret}`,
      STRIPE_LIVE_WEBHOOK_SECRET: `whsec_${secret}`,
      TOLLKEEPER_TEST_API_KEY: secret,
      TOLLKEEPER_LIVE_API_KEY: apiKey('test'),
      TOLLKEEPER_DEMO: 'yes',
      RATE_LIMIT_ALL: '-1',
      RATE_LIMIT_WRITE: '1e3',
      LOG_LEVEL: 'loud',
      SIMULATOR_PORT: '70000',
      TOLLKEEPER_SECRET: secret,
      TOLLKEEPER_SIMULATE_LIVE: 'no',
    })
    const named = mistakes.map((mistake) => mistake.split(' ')[0])
    assert.deepEqual(named.sort(), [
      'DATABASE_URL',
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'RATE_LIMIT_ALL',
      'RATE_LIMIT_WRITE',
      'SIMULATOR_PORT',
      'STRIPE_LIVE_WEBHOOK_SECRET',
      'STRIPE_TEST_SECRET_KEY',
      'TOLLKEEPER_DEMO',
      'TOLLKEEPER_LIVE_API_KEY',
      'TOLLKEEPER_SECRET',
      'TOLLKEEPER_SIMULATE_LIVE',
      'TOLLKEEPER_TEST_API_KEY',
    ])
    assert.ok(!mistakes.join().includes(secret))
    for (const mistake of mistakes) assert.match(mistake, /\.$/)
  })

  it('puts the simulator on the port after ours, on any free one with it, and never on ours', () => {
    assert.equal(readConfig({ PORT: '8080' }).simulatorPort, 8081)
    assert.equal(readConfig({ PORT: '0' }).simulatorPort, 0)
    assert.match(
      mistakesOf({ PORT: '80', SIMULATOR_PORT: '80' })[0] ?? '',
      /^SIMULATOR_PORT must be .* another/,
    )
    assert.match(mistakesOf({ PORT: '65535' })[0] ?? '', /^SIMULATOR_PORT must be /)
  })

  it('simulates live only where it is asked to, and not beside a key', () => {
    assert.equal(readConfig({ TOLLKEEPER_SIMULATE_LIVE: '1' }).simulateLive, true)
    const both = { TOLLKEEPER_SIMULATE_LIVE: '1', STRIPE_LIVE_SECRET_KEY: 'sk_live_abc' }
    assert.match(mistakesOf(both)[0] ?? '', /^TOLLKEEPER_SIMULATE_LIVE is set beside STRIPE_LIVE_SECRET_KEY/)
  })

  it('sees a key in the wrong slot', () => {
    const [mistake, ...more] = mistakesOf({ STRIPE_LIVE_SECRET_KEY: 'sk_test_abc' })
    assert.equal(mistake, 'STRIPE_LIVE_SECRET_KEY is a test key, but must be a live key.')
    assert.deepEqual(more, [])
    assert.match(
      mistakesOf({ STRIPE_TEST_SECRET_KEY: 'rk_live_abc' })[0] ?? '',
      /is a live key, but must be a test key/,
    )
  })

  it('refuses a variable beside its file, and a file that cannot be read', () => {
    const file = write('both', '1')
    assert.deepEqual(mistakesOf({ PORT: '1', PORT_FILE: file }), [
      'PORT and PORT_FILE are both set; keep one.',
    ])
    assert.match(mistakesOf({ PORT_FILE: join(folder, 'nothing') })[0] ?? '', /^PORT_FILE cannot be read: /)
    assert.match(mistakesOf({ PORT_FILE: folder })[0] ?? '', /^PORT_FILE cannot be read: /)
  })
})
