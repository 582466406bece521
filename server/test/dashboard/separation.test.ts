// Two doors, two kinds of keys: sessions open the dashboard's API only, API keys the public one only, and each environment is its own.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  adminEmail,
  adminPassword,
  type DashboardService,
  startDashboardService,
} from './dashboard-fixture.ts'

let service: DashboardService
before(async () => {
  service = await startDashboardService({ variables: { PUBLIC_URL: 'https://billing.example.com/' } })
})
after(() => service.close())

describe('doors', () => {
  it('a session’s cookie is no key', async () => {
    const cookie = service.admin.cookie as string
    const answer = await service.request('GET', '/v1/features', { key: null, headers: { cookie } })
    assert.equal(answer.status, 401)
  })

  it('a key is no session', async () => {
    const headers = { 'x-api-key': service.keys.test }
    const answer = await service.openBrowser().request('GET', 'test/v1/features', { headers })
    assert.deepEqual([answer.status, answer.headers['x-error-code']], [401, 'signed_out'])
  })

  it('a cookie that comes twice is nobody’s', async () => {
    const cookie = `${service.admin.cookie}; tollkeeper_session=${'A'.repeat(43)}`
    assert.equal((await service.admin.request('GET', 'session', { headers: { cookie } })).status, 401)
  })
})

describe('answers', () => {
  it('are kept by nobody on the way', async () => {
    for (const path of ['session', 'people', 'test/v1/features', 'test/keys', `links/${'x'.repeat(43)}`]) {
      const { headers } = await service.admin.request('GET', path)
      assert.equal(headers['cache-control'], 'no-store', path)
    }
  })
})

describe('environments', () => {
  it('share nothing under one session', async () => {
    const feature = { featureKey: 'only', name: 'Only in test', type: 'limit' }
    assert.equal((await service.admin.request('POST', 'test/v1/features', { body: feature })).status, 201)
    assert.equal((await service.admin.request('DELETE', 'live/v1/features/only')).status, 404)
    assert.equal((await service.admin.request('GET', 'test/v1/features/only')).status, 200)
    const made = await service.admin.request('POST', 'live/keys', { body: { name: 'k', scope: 'full' } })
    assert.match(made.body.secret, /^tk_live_/)
    assert.equal((await service.admin.request('DELETE', `test/keys/${made.body.keyId}`)).status, 404)
    assert.equal((await service.request('GET', '/v1/features', { key: made.body.secret })).status, 200)
    assert.equal((await service.admin.request('DELETE', `live/keys/${made.body.keyId}`)).status, 200)
    assert.equal((await service.request('GET', '/v1/features', { key: made.body.secret })).status, 401)
  })

  it('are two', async () => {
    assert.equal((await service.admin.request('GET', 'other/v1/features')).status, 404)
  })
})

describe('behind an https address', () => {
  it('the cookie is sent over TLS only, and writes may come from that address', async () => {
    const browser = service.openBrowser()
    const headers = { origin: 'https://billing.example.com' }
    const body = { email: adminEmail, password: adminPassword }
    const answer = await browser.request('POST', 'session', { body, headers })
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['set-cookie']), /; HttpOnly; SameSite=Lax; Secure$/)
    assert.equal(answer.body.publicUrl, 'https://billing.example.com')
    for (const origin of [
      'http://billing.example.com',
      'https://billing.example.com.evil.example',
      'https://evil.example',
    ]) {
      assert.equal((await browser.request('DELETE', 'session', { headers: { origin } })).status, 403, origin)
    }
    assert.equal((await browser.request('DELETE', 'session', { headers })).status, 200)
  })
})
