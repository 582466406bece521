// API keys in the dashboard: made, shown once, used, rotated and revoked, under the person's name.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { adminEmail, type DashboardService, startDashboardService } from './dashboard-fixture.ts'

const configured = `tk_test_${'c'.repeat(32)}`
let service: DashboardService
before(async () => {
  service = await startDashboardService({
    limits: { all: 1000, write: 500 },
    variables: { TOLLKEEPER_TEST_API_KEY: configured },
  })
})
after(() => service.close())

const list = async () => (await service.admin.request('GET', 'test/keys')).body
const findKey = async (keyId: string) =>
  (await list()).keys.find((key: { keyId: string }) => key.keyId === keyId)
const isOpen = async (key: string) => (await service.request('GET', '/v1/features', { key })).status === 200

describe('keys', () => {
  it('are made, used, rotated with grace and revoked', async () => {
    const made = await service.admin.request('POST', 'test/keys', { body: { name: 'worker', scope: 'read' } })
    assert.equal(made.status, 201, made.text)
    const { keyId, secret } = made.body
    assert.ok(await isOpen(secret))
    const shown = await findKey(keyId)
    assert.deepEqual(
      [shown.name, shown.scope, shown.lastFour, shown.source, shown.requests10s],
      ['worker', 'read', secret.slice(-4), 'created', 1],
    )
    assert.ok(!JSON.stringify(await list()).includes(secret))
    const rotated = await service.admin.request('POST', `test/keys/${keyId}/rotate`, {
      body: { graceMs: 60_000 },
    })
    assert.equal(rotated.status, 201, rotated.text)
    assert.ok((await isOpen(secret)) && (await isOpen(rotated.body.secret)))
    assert.ok((await findKey(keyId)).expiresAt <= Date.now() + 60_000)
    assert.equal((await service.admin.request('DELETE', `test/keys/${keyId}`)).status, 200)
    assert.ok(!(await isOpen(secret)))
    const { body } = await service.admin.request('GET', 'test/audit-log?action=key')
    const [newest] = body.entries
    assert.deepEqual(
      [newest.actor, newest.action, newest.subject],
      [`person:${adminEmail}`, 'key.revoke', keyId],
    )
    assert.ok(!JSON.stringify(body).includes(rotated.body.secret))
  })

  it('say what their limits are', async () => {
    assert.deepEqual((await list()).limits, { all: 1000, write: 500 })
  })

  it('from configuration stay as configured', async () => {
    const { keys } = await list()
    const { keyId } = keys.find((key: { source: string }) => key.source === 'configured')
    const answer = await service.admin.request('DELETE', `test/keys/${keyId}`)
    assert.deepEqual([answer.status, answer.headers['x-error-code']], [409, 'configured_key'])
    assert.ok(await isOpen(configured))
  })

  it('are refused with what is wrong', async () => {
    for (const [body, said] of [
      [{ name: '', scope: 'full' }, /name must not be empty/],
      [{ name: 'x', scope: 'all' }, /scope must be one of/],
      [{ name: 'x', scope: 'full', expiresAt: Date.UTC(2001) }, /expiresAt must lie in the future/],
    ] as const) {
      const answer = await service.admin.request('POST', 'test/keys', { body })
      assert.equal(answer.status, 400)
      assert.match(answer.body.error, said)
    }
    for (const id of ['x', '00000000-0000-4000-8000-000000000000'])
      assert.equal((await service.admin.request('DELETE', `test/keys/${id}`)).status, 404)
  })
})
