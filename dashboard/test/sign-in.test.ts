// The way in, in a real browser: the link of the first start, then e-mail and password, and back to where one was.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeFirstLink } from '../../server/src/operations/people/make-link.ts'
import type { Service } from '../../server/src/service.ts'
import { type DashboardTest, startDashboardTest, whyNoBrowser } from './dashboard-fixture.ts'

describe('signing in', () => {
  let test: DashboardTest | undefined
  before(async () => {
    test = await startDashboardTest({ isFirstStart: true })
    // Asked for on purpose: a page by somebody who is not signed in, a wrong password, a used link, a short password.
    test?.expectComplaint(/40[0149]/)
  })
  after(() => test?.close())

  it('goes by the link of the first start, once', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, url, service } = test
    const link = await makeFirstLink((service.instances[0] as Service).services.database)
    await page.goto(url + link?.path)
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    await test.checkAccessibility()
    await test.takeScreenshots('first-account')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText(/password must/i).waitFor()
    await page.getByLabel('Password', { exact: true }).fill('an engine of ideas')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(/\/test$/)
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.goto(url + link?.path)
    await page.getByRole('heading', { name: 'This link has been used, or is too old' }).waitFor()
  })

  it('ends with signing out, and goes back to where it was asked for', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, url } = test
    await test.open('/test/customers')
    await page.getByRole('button', { name: 'Signed in as Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/login$/)
    await page.goto(`${url}/test/customers?search=acme`)
    await page.waitForURL(/\/login\?next=/)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await test.checkAccessibility()
    await test.takeScreenshots('sign-in')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a wrong guess')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password', { exact: true }).fill('an engine of ideas')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/test\/customers\?search=acme$/)
    assert.equal(await page.getByLabel('Search id, name or e-mail').inputValue(), 'acme')
  })
})
