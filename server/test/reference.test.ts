// The reference page in a real browser: complete, searchable, and able to try a route with the reader's key, which it keeps nowhere.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type Browsing, findBrowser, noBrowser, startBrowser } from './browser.ts'
import { operations } from './contract/validator.ts'
import { startTestService, type TestService } from './service.ts'

const browser = await findBrowser()

describe('/docs in a browser', { skip: browser ? false : noBrowser }, () => {
  let service: TestService
  let browsing: Browsing
  let page: Page
  const complaints: string[] = []
  const asked: string[] = []

  before(async () => {
    service = await startTestService()
    const feature = { featureKey: 'api_calls', name: 'API calls', type: 'limit' }
    await service.request('POST', '/v1/features', { body: feature })
    browsing = await startBrowser(browser as string, { viewport: { width: 1440, height: 900 } })
    page = await browsing.context.newPage()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${service.urls[0]}/docs`)
  })
  after(async () => {
    await browsing?.close()
    await service?.close()
  })

  const shown = () => page.locator('.operation[data-words]:visible').count()

  it('shows every operation with samples, an example and a form, and asks nobody but the service', async () => {
    assert.equal(await shown(), operations.length)
    for (const kind of ['.samples', '.try', '.errors'])
      assert.equal(await page.locator(`.operation[data-words] ${kind}`).count(), operations.length, kind)
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(service.urls[0] as string) || !/\/docs|favicon/.test(url)),
      [],
    )
    assert.deepEqual(complaints, [])
  })

  it('finds routes by their words and by their fields', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('enforceLimit')
    const found = await page
      .locator('.operation[data-words]:visible')
      .evaluateAll((all) => all.map(({ id }) => id))
    assert.ok(found.includes('recordUsage') && !found.includes('getTestClock'), found.join())
    await page.fill('#search', 'no such words')
    assert.equal(await shown(), 0)
    assert.ok(await page.locator('#nothing').isVisible())
    await page.press('#search', 'Escape')
    assert.equal(await shown(), operations.length)
  })

  it('shows how to call a route with the SDK, for all routes at once', async () => {
    await page.locator('#recordUsage [data-label=SDK]').click()
    assert.match(await page.locator('#recordUsage pre:visible').first().innerText(), /tk\.consume\('acme'/)
    assert.match(await page.locator('#checkAccess pre:visible').first().innerText(), /tk\.check\('acme'/)
  })

  it('tries a route with the reader’s key, and shows what came', async () => {
    const form = page.locator('#getFeature .try')
    await form.locator('summary').click()
    await form.getByRole('button').click()
    assert.match(await form.locator('output').innerText(), /Enter an API key/)
    await page.fill('#key', service.keys.test)
    await form.getByRole('button').click()
    await form.locator('output .good').waitFor()
    assert.match(
      await form.locator('output').innerText(),
      /200 OK.*x-request-id: req_.*"featureKey": "api_calls"/s,
    )
    await form.locator('[name=featureKey]').fill('a/b?c')
    await form.getByRole('button').click()
    await form.locator('output .bad').waitFor()
    assert.match(await form.locator('output').innerText(), /400.*x-error-code: invalid_request/s)
  })

  it('sends a body as it stands in the form', async () => {
    const form = page.locator('#createCustomer .try')
    await form.locator('summary').click()
    await form.getByRole('button').click()
    await form.locator('output .good').waitFor()
    assert.equal((await service.request('GET', '/v1/customers/acme')).body.name, 'Acme')
  })

  it('forgets the key when the page is left, and never stored it', async () => {
    const stored = () =>
      page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
    assert.equal(await stored(), '[{},{},""]')
    await page.reload()
    assert.equal(await page.inputValue('#key'), '')
  })

  it('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    assert.ok(width <= 390, `${width} px wide`)
  })

  it('made the browser complain of nothing', () => {
    // What was refused on purpose is told by the browser, too.
    assert.deepEqual(
      complaints.filter((text) => !/status of 4\d\d/.test(text)),
      [],
    )
  })
})
