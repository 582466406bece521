// Developers and settings in a real browser: a key's life with its requests seen live, and a person who may only look.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { joinedPassword } from '../../server/test/dashboard/dashboard-fixture.ts'
import { type DashboardTest, startDashboardTest, whyNoBrowser } from './dashboard-fixture.ts'

/** As the person who is signed in, past the page's own buttons. */
const send = (page: DashboardTest['page'], method: string, path: string, body: unknown): Promise<number> =>
  page.evaluate(
    async ([verb, address, text]) => {
      const { csrfToken } = await (await fetch('/dashboard/api/session')).json()
      const headers = { 'x-csrf-token': csrfToken, 'content-type': 'application/json' }
      return (await fetch(`/dashboard/api/${address}`, { method: verb, headers, body: text })).status
    },
    [method, path, JSON.stringify(body)] as [string, string, string],
  )

describe('developers and settings', () => {
  let test: DashboardTest | undefined
  before(async () => {
    test = await startDashboardTest()
    test?.expectComplaint(/403.*\/keys/)
    // Whoever is signed out asks who they are, and a link that was used is gone.
    test?.expectComplaint(/401.*\/session$|404.*\/links\//)
  })
  after(() => test?.close())

  it('makes a key, sees its requests live, and revokes it', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open, url } = test
    await open('/test/developers?do=make-key')
    await page.getByLabel('Name').fill('Nightly job')
    await page.getByRole('button', { name: 'Make key', exact: true }).last().click()
    const made = page.getByRole('dialog', { name: 'Copy the key now' })
    await made.getByText('Waiting for the first request').waitFor()
    const secret = (await made.locator('pre').first().textContent()) ?? ''
    assert.match(secret, /^tk_test_/)
    await test.takeScreenshots('developers-made')
    const ask = () =>
      fetch(`${url}/v1/feature-access?customerId=nobody`, { headers: { 'x-api-key': secret } })
    assert.equal((await ask()).status, 404)
    await made.getByText('First request received').waitFor()
    await made.getByRole('button', { name: 'I have copied it' }).click()

    const requests = page.getByRole('table', { name: 'Requests' })
    const line = requests.getByRole('row').filter({ hasText: 'Nightly job' }).first()
    await line.getByText('404').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await ask()
    await page.getByRole('button', { name: 'Resume (1 new)' }).click()
    await requests.locator('tbody tr').nth(1).waitFor()
    await test.checkAccessibility()
    await test.takeScreenshots('developers')
    await line.getByRole('button').click()
    await page.getByRole('dialog').getByText('customer_not_found').first().waitFor()
    await test.checkAccessibility()
    await test.takeScreenshots('developers-line')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Actions for Nightly job' }).click()
    await page.getByRole('menuitem', { name: 'Revoke…' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Revoked Nightly job').waitFor()
    assert.equal((await ask()).status, 401)
    await page.getByRole('button', { name: 'Show 1 ended' }).click()
    await page.getByRole('table', { name: 'API keys' }).getByText('Revoked').waitFor()
  })

  it('rotates a key, which goes on for a while', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open } = test
    await open('/test/developers')
    assert.equal(await send(page, 'POST', 'test/keys', { name: 'Old key', scope: 'read' }), 201)
    await open('/test/developers')
    await page.getByRole('button', { name: 'Actions for Old key' }).click()
    await page.getByRole('menuitem', { name: 'Rotate…' }).click()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('dialog', { name: 'Copy the key now' }).waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const keys = page.getByRole('table', { name: 'API keys' })
    await keys.getByText('Ends in 23 h').waitFor()
    assert.equal(await keys.getByText('Old key').count(), 2)
  })

  it('shows what was changed by whom, and what it was before', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open, service } = test
    await service.request('POST', '/v1/customers', { body: { customerId: 'acme', name: 'Acme' } })
    assert.equal(await send(page, 'PUT', 'test/v1/customers/acme', { name: 'Acme Inc.' }), 200)
    await open('/settings/audit-log?action=customer&environment=test')
    await page.getByRole('button', { name: 'Changed a customer' }).click()
    const entry = page.getByRole('dialog', { name: 'Changed a customer' })
    await entry.getByText('ada@example.com').waitFor()
    const name = entry.getByRole('row', { name: /^name/ })
    assert.deepEqual(await name.getByRole('cell').allTextContents(), ['Acme', 'Acme Inc.'])
    await test.checkAccessibility()
    await test.takeScreenshots('audit-entry')
    await page.keyboard.press('Escape')
    await test.checkAccessibility()
    await test.takeScreenshots('audit-log')
  })

  it('invites a person who may only look, and who then can change nothing', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open, url } = test
    await open('/settings?do=invite')
    await page.getByLabel('E-mail').fill('rita@example.com')
    await page.getByLabel('Read only').click()
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const invitation = page.getByRole('dialog', { name: 'Invitation for rita@example.com' })
    const link = (await invitation.locator('pre').textContent()) ?? ''
    await invitation.getByRole('button', { name: 'Done' }).click()
    await test.checkAccessibility()
    await test.takeScreenshots('people')
    await open('/settings/password')
    await test.checkAccessibility()

    await page.context().clearCookies()
    await page.goto(url + link.slice(new URL(link).origin.length))
    await page.getByLabel('Name').fill('Rita')
    await page.getByLabel('Password', { exact: true }).fill(joinedPassword)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(/\/(test|live)/)
    await open('/test/developers')
    await page.getByText('You may look, not change.').waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Make|Rotate|Revoke|Actions)/ }).count(), 0)
    await open('/test/customers')
    assert.equal(await page.getByRole('button', { name: 'Create customer' }).count(), 0)
    await open('/settings')
    await page.getByText('People are seen and managed by admins.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Invite person' }).count(), 0)
    assert.equal(await send(page, 'POST', 'test/keys', { name: 'mine', scope: 'full' }), 403)
    await open('/settings/audit-log?environment=test&action=key')
    await page.getByRole('table', { name: 'Audit log' }).getByText('Revoked a key').waitFor()
  })
})
