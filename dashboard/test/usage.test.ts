// Usage, test clock and provider in a real browser, on the demo data: correcting an event, moving time, playing the provider.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DashboardTest, startDashboardTest, whyNoBrowser } from './dashboard-fixture.ts'

describe('usage, clock and provider', () => {
  let test: DashboardTest | undefined
  before(async () => {
    test = await startDashboardTest({ hasDemo: true })
  })
  after(() => test?.close())

  const readUsed = async (): Promise<number> => {
    const { body } = await (test as DashboardTest).service.request(
      'GET',
      '/v1/feature-access?customerId=acme&featureKey=api_calls',
    )
    return body.api_calls.usage.used
  }

  it('corrects an event, seeing before and after for the periods it touches', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open, service } = test
    const event = { customerId: 'acme', featureKey: 'api_calls', eventKey: 'wrong-1', amount: 700 }
    assert.equal((await service.request('POST', '/v1/usage', { body: event })).status, 200)
    const before = await readUsed()
    await open('/test/usage')
    await page.getByRole('table', { name: 'Usage events' }).locator('tbody tr').nth(5).waitFor()
    await test.checkAccessibility()
    await test.takeScreenshots('usage')
    await page.getByLabel('Event key or id').fill('wrong-1')
    await page.waitForURL(/search=wrong-1/)
    const row = page.getByRole('row').filter({ hasText: 'wrong-1' })
    await row.getByRole('button').click()
    await page.getByRole('button', { name: 'Edit event' }).click()
    const drawer = page.getByRole('dialog', { name: 'Usage event' })
    await drawer.getByLabel('Amount').fill('7')
    const periods = drawer.getByRole('table', { name: /Before and after/ })
    await periods
      .getByText(String(before - 693), { exact: false })
      .first()
      .waitFor()
    await test.checkAccessibility()
    await test.takeScreenshots('usage-edit')
    await drawer.getByRole('button', { name: 'Save event' }).click()
    await drawer.getByText(/^Edited a usage event, by ada@example.com/).waitFor()
    assert.equal(await readUsed(), before - 693)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    assert.equal(await readUsed(), before)
    await drawer.getByRole('button', { name: 'Delete event' }).click()
    await periods.waitFor()
    await drawer.getByRole('button', { name: 'Delete event' }).click()
    await drawer.getByText('deleted', { exact: true }).waitFor()
    assert.equal(await readUsed(), before - 700)
  })

  it('shows the same filters to whoever gets the address, and one feature by customer', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open } = test
    await open('/test/usage?featureKey=api_calls&groupBy=customer&range=7d&customerId=acme')
    await page.getByRole('heading', { name: /^Amount used/ }).waitFor()
    await page.getByRole('button', { name: 'Customer acme', exact: true }).waitFor()
    await page.getByRole('button', { name: 'When last 7 days', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear Customer' }).click()
    await page.waitForURL((address) => !address.search.includes('customerId'))
    await test.takeScreenshots('usage-by-customer')
  })

  it('plays the account’s owner where the provider is simulated', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open } = test
    await open('/test/provider')
    await page.getByText('Simulator', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Make product' }).click()
    await page.getByLabel('Name').fill('Enterprise plan')
    await page.getByRole('button', { name: 'Make and import' }).click()
    await page.getByText('Made Enterprise plan at the provider and imported it').waitFor()
    await page.getByRole('button', { name: 'Compare now' }).click()
    await page.getByText(/customers? and all products compared/).waitFor()
    await test.checkAccessibility()
    await test.takeScreenshots('provider')
  })

  it('moves the clock and sees the reset', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open, service } = test
    const event = { customerId: 'acme', featureKey: 'api_calls', eventKey: 'before-reset', amount: 3 }
    await service.request('POST', '/v1/usage', { body: event })
    assert.ok((await readUsed()) >= 3)
    await open('/test/clock')
    await page.getByText('Runs with real time', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'What lies ahead' }).locator('tbody tr').first().waitFor()
    await page.getByRole('button', { name: '+ 1 month' }).click()
    await page.getByText('Frozen', { exact: true }).waitFor()
    await page.getByRole('list', { name: 'What changed' }).getByText('Usage reset').first().waitFor()
    assert.equal(await readUsed(), 0)
    await test.checkAccessibility()
    await test.takeScreenshots('clock')
    await open('/test/customers/acme')
    await page.locator('[role=meter][aria-label="API calls"][aria-valuetext^="0 of"]').waitFor()
    await open('/test/clock')
    await page.getByRole('button', { name: 'Let it run' }).click()
    await page.getByText('Runs with real time', { exact: true }).waitFor()
  })
})
