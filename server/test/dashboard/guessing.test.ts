// Guessing passwords: slowed down by account and by address, over all instances, and telling nothing of who is there.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  adminEmail,
  adminPassword,
  type DashboardService,
  startDashboardService,
} from './dashboard-fixture.ts'

let service: DashboardService
before(async () => {
  service = await startDashboardService({ instances: 2 })
})
after(() => service.close())
beforeEach(() => service.query('delete from sign_in_attempts'))

const guess = async (email: string, password: string, instance = 0) => {
  const answer = await service
    .openBrowser()
    .request('POST', 'session', { body: { email, password }, instance })
  return { status: answer.status, code: answer.headers['x-error-code'], after: answer.headers['retry-after'] }
}

describe('guessing', () => {
  it('an account has to wait after five attempts, on every instance, with the right password too', async () => {
    for (let index = 0; index < 5; index++)
      assert.equal((await guess(adminEmail, `wrong ${index}`, index % 2)).status, 401)
    for (const instance of [0, 1]) {
      const { status, code, after } = await guess(adminEmail, adminPassword, instance)
      assert.deepEqual([status, code], [429, 'throttled'])
      assert.ok(Number(after) >= 1)
    }
  })

  it('many at once get no further', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => guess(adminEmail, `wrong ${index}`)),
    )
    assert.equal(answers.filter(({ status }) => status === 401).length, 5)
    assert.equal(answers.filter(({ status }) => status === 429).length, 15)
  })

  it('who is not there is counted and answered in the same way', async () => {
    for (let index = 0; index < 5; index++)
      assert.deepEqual(await guess('nobody@example.com', 'x'), {
        status: 401,
        code: 'wrong_password',
        after: undefined,
      })
    assert.equal((await guess('nobody@example.com', 'x')).status, 429)
  })

  it('an address has to wait after twenty attempts, whatever accounts it tries', async () => {
    for (let index = 0; index < 20; index++)
      assert.equal((await guess(`person${index}@example.com`, 'x', index % 2)).status, 401, String(index))
    const { status, code } = await guess(adminEmail, adminPassword)
    assert.deepEqual([status, code], [429, 'throttled'])
  })

  it('who knows the password starts afresh', async () => {
    for (let index = 0; index < 4; index++) await guess(adminEmail, 'wrong')
    assert.equal((await guess(adminEmail, adminPassword)).status, 200)
    for (let index = 0; index < 4; index++) await guess(adminEmail, 'wrong')
    assert.equal((await guess(adminEmail, adminPassword)).status, 200)
    const rows = await service.query(`select attempts from sign_in_attempts where subject like 'account:%'`)
    assert.deepEqual(rows, [])
    const [address] = await service.query(
      `select attempts from sign_in_attempts where subject like 'address:%'`,
    )
    assert.deepEqual(address, { attempts: 8 })
  })

  it('who has a link starts afresh', async () => {
    const [person] = (await service.admin.request('GET', 'people')).body.people
    for (let index = 0; index < 6; index++) await guess(adminEmail, 'wrong')
    assert.equal((await guess(adminEmail, adminPassword)).status, 429)
    const { url } = (await service.admin.request('POST', `people/${person.personId}/link`)).body
    const token = new URL(url).searchParams.get('token')
    const accepted = await service.openBrowser().request('POST', `links/${token}`, {
      body: { password: adminPassword },
    })
    assert.equal(accepted.status, 200, accepted.text)
    const rows = await service.query(`select attempts from sign_in_attempts where subject like 'account:%'`)
    assert.deepEqual(rows, [])
  })

  it('of the current password, by whoever found a browser open, is slowed down too', async () => {
    const browser = await service.signIn(adminEmail, adminPassword)
    const body = { currentPassword: 'wrong', newPassword: 'another long password' }
    const statuses: number[] = []
    for (let index = 0; index < 6; index++)
      statuses.push((await browser.request('PUT', 'session/password', { body })).status)
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
  })

  it('is stored without names or addresses', async () => {
    await guess(adminEmail, 'wrong')
    const rows = await service.query('select sign_in_attempts::text as row from sign_in_attempts')
    assert.equal(rows.length, 2)
    assert.doesNotMatch(JSON.stringify(rows), /ada|127\.0/)
  })
})
