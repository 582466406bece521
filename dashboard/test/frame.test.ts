// The frame in a real browser: the way in, the keyboard, the two environments, and that axe has nothing to say.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DashboardTest, startDashboardTest, whyNoBrowser } from './dashboard-fixture.ts'

describe('the frame', () => {
  let test: DashboardTest | undefined
  before(async () => {
    test = await startDashboardTest()
  })
  after(() => test?.close())

  it('can be walked with the keyboard', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open } = test
    await open('/test/customers')
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.locator('input[type=search]:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or do' }).fill('home')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/test\/?$/)
  })

  it('tells test from live', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open } = test
    await open('/test/customers')
    assert.match(await page.title(), /^Customers · Tollkeeper test$/)
    assert.equal(await page.getByText('TEST', { exact: true }).count(), 1)
    await page.getByRole('button', { name: 'Environment: test' }).click()
    await page.getByRole('menuitem', { name: 'live' }).click()
    await page.waitForURL(/\/live\/customers$/)
    assert.equal(await page.getByText('TEST', { exact: true }).count(), 0)
  })

  it('has nothing for axe to find, light and dark', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    await test.open('/test/customers')
    await test.checkAccessibility()
    await test.takeScreenshots('customers-empty')
  })
})
