// Sessions: who is signed in, from which page a write may come, and that nothing of it is taken over or guessed.
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
  service = await startDashboardService()
})
after(() => service.close())

const feature = (featureKey: string) => ({ featureKey, name: featureKey, type: 'limit' })

describe('signing in', () => {
  it('answers who is signed in, and sets a cookie that scripts and other sites do not get', async () => {
    const browser = service.openBrowser()
    const body = { email: ' ADA@example.com '.trim(), password: adminPassword }
    const answer = await browser.request('POST', 'session', { body })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(
      { ...answer.body.person, personId: '' },
      { personId: '', email: adminEmail, name: 'ada', role: 'admin' },
    )
    assert.equal(answer.body.environments.test.provider, 'simulator')
    const [set = ''] = answer.headers['set-cookie'] ?? []
    assert.match(set, /^tollkeeper_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/)
    const again = await browser.request('GET', 'session')
    assert.deepEqual(again.body, answer.body)
  })

  it('is refused with the same words for a wrong password and for somebody who is not there', async () => {
    const browser = service.openBrowser()
    const wrong = await browser.request('POST', 'session', { body: { email: adminEmail, password: 'no' } })
    const nobody = await browser.request('POST', 'session', { body: { email: 'x@y.io', password: 'no' } })
    assert.deepEqual([wrong.status, wrong.headers['x-error-code']], [401, 'wrong_password'])
    assert.deepEqual([nobody.status, nobody.text], [401, wrong.text])
  })

  it('never takes over a session that the browser brought along', async () => {
    const browser = service.openBrowser()
    const planted = 'A'.repeat(43)
    browser.cookie = `tollkeeper_session=${planted}`
    await browser.request('POST', 'session', { body: { email: adminEmail, password: adminPassword } })
    assert.notEqual(browser.cookie, `tollkeeper_session=${planted}`)
    const first = browser.cookie as string
    await browser.request('POST', 'session', { body: { email: adminEmail, password: adminPassword } })
    assert.notEqual(browser.cookie, first)
    for (const cookie of [`tollkeeper_session=${planted}`, first]) {
      assert.equal(
        (await service.openBrowser().request('GET', 'session', { headers: { cookie } })).status,
        401,
      )
    }
  })

  it('ends with signing out', async () => {
    const browser = await service.signIn(adminEmail, adminPassword)
    const { cookie } = browser
    assert.equal((await browser.request('DELETE', 'session')).status, 200)
    assert.equal(browser.cookie, 'tollkeeper_session=')
    const answer = await browser.request('GET', 'session', { headers: { cookie } })
    assert.deepEqual([answer.status, answer.headers['x-error-code']], [401, 'signed_out'])
  })
})

describe('writes', () => {
  it('with the session of a page of ours are made, and logged under the person', async () => {
    const made = await service.admin.request('POST', 'test/v1/features', { body: feature('ours') })
    assert.equal(made.status, 201, made.text)
    const [entry] = await service.query(`select actor, request_id from audit_entry where subject = 'ours'`)
    assert.deepEqual(entry, { actor: `person:${adminEmail}`, request_id: made.headers['x-request-id'] })
    assert.equal((await service.admin.request('GET', 'test/v1/features/ours')).status, 200)
    assert.equal((await service.admin.request('GET', 'live/v1/features/ours')).status, 404)
  })

  const foreign: [string, Record<string, string | undefined>][] = [
    ['no token', { 'x-csrf-token': undefined }],
    ['another token', { 'x-csrf-token': 'x'.repeat(43) }],
    ['another site', { origin: 'https://evil.example' }],
    ['a page of no address', { origin: 'null' }],
    ['no Origin', { origin: undefined }],
    ['a name that was made to lead here', { origin: 'http://evil.example:80', host: 'evil.example' }],
    ['a page of another protocol', { origin: 'https://localhost', host: 'localhost' }],
  ]
  for (const [what, headers] of foreign) {
    it(`of a cookie with ${what} are refused`, async () => {
      const answer = await service.admin.request('POST', 'test/v1/features', {
        body: feature('theirs'),
        headers,
      })
      assert.deepEqual([answer.status, answer.headers['x-error-code']], [403, 'csrf'])
      assert.equal((await service.admin.request('GET', 'test/v1/features/theirs')).status, 404)
    })
  }

  it('with the token of another session are refused', async () => {
    const other = await service.signIn(adminEmail, adminPassword)
    const headers = { 'x-csrf-token': other.csrfToken }
    const answer = await service.admin.request('POST', 'test/v1/features', {
      body: feature('theirs'),
      headers,
    })
    assert.equal(answer.status, 403)
  })

  it('that sign somebody in come from a page of ours too', async () => {
    const body = { email: adminEmail, password: adminPassword }
    const headers = { origin: 'https://evil.example' }
    const answer = await service.openBrowser().request('POST', 'session', { body, headers })
    assert.deepEqual([answer.status, answer.headers['set-cookie']], [403, undefined])
  })
})
