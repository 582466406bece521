// tollkeeper keys: made, listed, rotated and revoked beside a running service, which follows at once.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'
import { runCommand, toDatabaseUrl } from './command.ts'

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
})
after(() => service.close())

const keys = (...words: string[]) =>
  runCommand(['keys', ...words], { DATABASE_URL: toDatabaseUrl(service.database.connection) })

async function make(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await keys('create', ...words)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^tk_(test|live)_[A-Za-z0-9_-]{27,}\n$/)
  return stdout.trim()
}

const statusOf = async (key: string, method = 'GET') => {
  const statuses = await Promise.all(
    [0, 1].map((instance) =>
      service.request(method, '/v1/features', { key, instance, ...(method === 'POST' ? { body: {} } : {}) }),
    ),
  )
  assert.equal(statuses[0]?.status, statuses[1]?.status, 'instances agree')
  return statuses[0]?.status
}

async function findKeyId(name: string, environment = 'test'): Promise<string> {
  const { stdout } = await keys('list', '--environment', environment)
  const line = stdout.split('\n').find((each) => each.endsWith(`  ${name}`))
  assert.ok(line, stdout)
  return line.slice(0, 36)
}

describe('keys create', () => {
  it('makes a key that works at once, of the environment and scope asked for', async () => {
    assert.equal(await statusOf(await make('--name', 'full')), 200)
    const read = await make('--name', 'reader', '--scope', 'read')
    assert.deepEqual([await statusOf(read), await statusOf(read, 'POST')], [200, 403])
    const live = await make('--name', 'live one', '--environment', 'live')
    assert.match(live, /^tk_live_/)
    assert.equal(await statusOf(live), 200)
  })

  it('refuses what makes no sense before it opens a database', async () => {
    for (const words of [
      ['create'],
      ['create', '--name', 'x', '--scope', 'all'],
      ['create', '--name', 'x', '--environment', 'prod'],
      ['create', '--name', 'x', '--expires-in-days', 'soon'],
      ['create', '--name', 'x', '--expires-in-days', '0'],
      ['rotate', 'not-an-id'],
      ['revoke'],
    ]) {
      const { code, stderr, stdout } = await runCommand(['keys', ...words], {
        DATABASE_URL: 'postgres://127.0.0.1:1/x',
      })
      assert.deepEqual([code, stdout], [2, ''], words.join(' '))
      assert.match(stderr, /^(keys |--)[^\n]+\nSee tollkeeper keys --help\.\n$/)
    }
  })

  it('says in one sentence that the database is not there', async () => {
    const { code, stderr } = await runCommand(['keys', 'list'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' })
    assert.equal(code, 1)
    assert.match(stderr, /^The database cannot be reached: [^\n]+\n$/)
  })
})

describe('keys list', () => {
  it('shows scope, state and the last four characters, and never a key', async () => {
    const secret = await make('--name', 'listed', '--scope', 'read', '--expires-in-days', '2')
    const { stdout } = await keys('list')
    const line = stdout.split('\n').find((each) => each.endsWith('  listed')) ?? ''
    assert.match(line, /^[0-9a-f-]{36} {2}…/)
    assert.ok(line.includes(`…${secret.slice(-4)}  read  open`))
    assert.ok(!stdout.includes(secret.slice(8, -4)))
    assert.doesNotMatch(stdout, /live one/)
    const listed = (await keys('list', '--json')).stdout.trimEnd().split('\n')
    assert(listed.map((each) => JSON.parse(each).name).includes('listed'))
  })
})

describe('keys rotate', () => {
  it('gives a new key, and lets the old one go on for the time of grace', async () => {
    const old = await make('--name', 'graceful')
    const { code, stdout } = await keys('rotate', await findKeyId('graceful'), '--grace-hours', '1')
    assert.equal(code, 0)
    assert.notEqual(stdout.trim(), old)
    assert.deepEqual([await statusOf(old), await statusOf(stdout.trim())], [200, 200])
    await service.query(
      `update api_key set expires_at = 1 where name = 'graceful' and expires_at is not null`,
    )
    assert.deepEqual([await statusOf(old), await statusOf(stdout.trim())], [401, 200])
  })

  it('ends the old one at once without grace, and keeps scope and name', async () => {
    const old = await make('--name', 'graceless', '--scope', 'read')
    const { stdout } = await keys('rotate', await findKeyId('graceless'), '--grace-hours', '0')
    assert.deepEqual([await statusOf(old), await statusOf(stdout.trim())], [401, 200])
    assert.equal(await statusOf(stdout.trim(), 'POST'), 403)
  })
})

describe('keys revoke', () => {
  it('ends a key at once on every instance, and once', async () => {
    const secret = await make('--name', 'revoked')
    const keyId = await findKeyId('revoked')
    const elsewhere = await keys('revoke', keyId, '--environment', 'live')
    assert.deepEqual([elsewhere.code, await statusOf(secret)], [1, 200])
    assert.equal((await keys('revoke', keyId)).code, 0)
    assert.equal(await statusOf(secret), 401)
    const again = await keys('revoke', keyId)
    assert.equal(again.code, 1)
    assert.match(again.stderr, /^There is no open API key "[^\n]+\n$/)
    assert.equal((await keys('rotate', keyId)).code, 1)
  })
})
