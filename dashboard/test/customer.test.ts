// The journeys of whoever answers a customer's question: who hit a limit, why, and putting it right.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DashboardTest, startDashboardTest, whyNoBrowser } from './dashboard-fixture.ts'

describe('customers', () => {
  let test: DashboardTest | undefined
  before(async () => {
    test = await startDashboardTest({ hasDemo: true })
  })
  after(() => test?.close())

  it('who hit a limit are found; why is told; a bonus moves the meter', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page } = test
    await test.open('/test/customers?status=over&sort=share')
    const row = page.getByRole('link', { name: /Tessellate Labs|Harborlight Studio/ }).first()
    await row.waitFor()
    await test.checkAccessibility()
    await row.click()
    await page.waitForURL(/\/test\/customers\/\w+/)
    const meter = page.getByRole('meter', { name: 'API calls' })
    await meter.waitFor()
    const before = (await meter.getAttribute('aria-valuetext')) ?? ''
    await page.getByRole('button', { name: 'Why: API calls' }).click()
    const why = page.getByRole('dialog', { name: 'Why: API calls' })
    await why.getByText('Limit of the plan').waitFor()
    await why.getByText(/counted from/).waitFor()
    await page.keyboard.press('Escape')
    await why.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Give bonus' }).click()
    const form = page.getByRole('dialog', { name: 'Give bonus' })
    await form.getByRole('combobox', { name: 'Feature' }).click()
    await page.getByRole('option', { name: 'API calls' }).click()
    await form.getByLabel('Amount').fill('987654')
    await form.getByLabel('Reason').fill('Asked by mail')
    await form.getByRole('button', { name: 'Give bonus' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('Gave 987,654 API calls').waitFor()
    await page.locator('[role=meter][aria-label="API calls"]:not([aria-valuetext*="over"])').waitFor()
    assert.notEqual(await meter.getAttribute('aria-valuetext'), before)
    await page.getByText('Asked by mail').first().waitFor()
  })

  it('are found and acted on by the words in the palette', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page } = test
    await test.open('/test')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or do' }).fill('give acme 500 api_calls')
    await page.getByRole('option', { name: /Give acme a bonus of 500 api_calls/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/test\/customers\/acme\?do=give-bonus/)
    const form = page.getByRole('dialog', { name: 'Give bonus' })
    assert.equal(await form.getByLabel('Amount').inputValue(), '500')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  })

  it('have their usage recorded and set, and it can be undone', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page } = test
    await test.open('/test/customers/acme?do=set-usage&featureKey=api_calls&amount=12')
    await page.getByRole('dialog', { name: 'Set usage' }).getByRole('button', { name: 'Set usage' }).click()
    await page.locator('[role=meter][aria-label="API calls"][aria-valuetext^="12 of"]').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('[role=meter][aria-label="API calls"]:not([aria-valuetext^="12 of"])').waitFor()
  })

  it('are sent to pay by a link', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page } = test
    await test.open('/test/customers/acme')
    await page.getByRole('button', { name: 'Checkout link' }).click()
    const form = page.getByRole('dialog', { name: 'Checkout link' })
    await form.getByRole('button', { name: 'Make link' }).click()
    const link = form.getByRole('link', { name: 'Open' })
    await link.waitFor()
    assert.match((await link.getAttribute('href')) ?? '', /^http/)
  })

  it('with script in name and metadata stay text', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, service } = test
    const script = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>'
    const made = await service.request('POST', '/v1/customers', {
      body: { customerId: 'hostile', name: script, metadata: { '<b>key</b>': script } },
    })
    assert.equal(made.status, 201)
    await test.open('/test/customers/hostile')
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), script)
    assert.equal(await page.locator('dd', { hasText: script }).count(), 1)
    await test.open('/test/customers?search=hostile')
    await page.getByText(script).first().waitFor()
    assert.equal(await page.evaluate(() => 'broken' in window), false)
    assert.equal(await page.locator('img[src=x]').count(), 0)
  })

  it('and Home have nothing for axe to find', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    for (const [name, path] of [
      ['home', '/test'],
      ['home-live-empty', '/live'],
      ['customers', '/test/customers'],
      ['customer-over', '/test/customers/tessellate'],
      ['customer-acme', '/test/customers/acme'],
      ['customer-why', '/test/customers/tessellate?do=why&featureKey=api_calls'],
      ['customer-give', '/test/customers/acme?do=give-bonus'],
      ['customer-edit', '/test/customers/acme?do=edit'],
      ['customer-delete', '/test/customers/acme?do=delete'],
    ] as const) {
      await test.open(path)
      await test.takeScreenshots(name)
      await test.checkAccessibility()
    }
  })
})
