// The catalogue in a real browser: a product's matrix is edited, its preview names who would be over the limit, and saving it
// changes what the customer may use; a new version changes nothing until customers are moved to it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DashboardTest, startDashboardTest, whyNoBrowser } from './dashboard-fixture.ts'

describe('the catalogue', () => {
  let test: DashboardTest | undefined
  before(async () => {
    test = await startDashboardTest()
    if (test === undefined) return
    test.expectComplaint(/400 .*\/v1\/bonuses/)
    await stock(test)
  })
  after(() => test?.close())

  it('edits a matrix with preview and review, at once for whoever holds the version', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open } = test
    await open('/test/products/team')
    await page.getByText('2 customers').first().waitFor()
    const limit = page.getByLabel('Limit of API calls in version 1')
    await limit.fill('5')
    const bar = page.getByRole('region', { name: 'Changes that are not saved' })
    await bar.getByText('1 change', { exact: true }).waitFor()
    await bar.getByText('2 customers affected').waitFor()
    await bar.getByText('1 customer would be over its limit').waitFor()
    assert.equal(await readLimit(test, 'acme'), 10, 'a preview changes nothing')
    await test.checkAccessibility()
    await test.takeScreenshots('product-edited')
    await bar.getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('dialog', { name: 'Review changes of Team' })
    await review.getByRole('row', { name: 'Acme Inc. api_calls 8 10 → 5' }).waitFor()
    assert.equal(await review.getByRole('link', { name: 'Borealis' }).count(), 0)
    await review.getByRole('button', { name: 'Save version 1' }).click()
    await page.getByText('Saved version 1').waitFor()
    await bar.waitFor({ state: 'detached' })
    assert.equal(await readLimit(test, 'acme'), 5)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    assert.equal(await readLimit(test, 'acme'), 10)
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[aria-label^="Limit of API"]')?.value === '10',
    )
  })

  it('saves a new version that nobody has until they are moved', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open } = test
    await open('/test/products/team')
    await page.getByLabel('API calls in version 1', { exact: true }).selectOption('Unlimited')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Save as version 2' }).click()
    await page.getByRole('columnheader', { name: 'Version 2 latest' }).waitFor()
    assert.equal(await readLimit(test, 'acme'), 10)
    await page.getByRole('button', { name: 'Move to version 2' }).click()
    const moving = page.getByRole('dialog', { name: 'Move customers to version 2 of Team' })
    await moving.getByText('2 customers of version 1').waitFor()
    await moving.getByRole('button', { name: 'Move 2 customers' }).click()
    await page.getByText('Moved 2 customers to version 2').waitFor()
    assert.equal(await readLimit(test, 'acme'), undefined, 'unlimited')
  })

  it('gives a bonus and takes it back', async (t) => {
    if (test === undefined) return t.skip(whyNoBrowser)
    const { page, open, service } = test
    await open('/test/bonuses?do=give')
    const form = page.getByRole('dialog', { name: 'Give bonus' })
    await form.getByLabel('Customer').fill('acme')
    await form.getByPlaceholder('Features whose usage is counted').click()
    await page.getByRole('option', { name: 'API calls' }).click()
    await form.getByRole('button', { name: 'Give bonus' }).click()
    await form.getByText(/^amount /).waitFor()
    await form.getByLabel('Amount').fill('500')
    await form.getByRole('button', { name: 'Give bonus' }).click()
    await page.getByText(/Gave acme 500 of api_calls/).waitFor()
    await page.getByText('500 of 500').waitFor()
    await page.getByRole('button', { name: 'Acme Inc.' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('acme loses 500 of api_calls that can still be used.').waitFor()
    await page.getByRole('button', { name: 'Delete bonus' }).click()
    await page.getByText(/Deleted the bonus/).waitFor()
    assert.deepEqual((await service.request('GET', '/v1/bonuses?customerId=acme')).body.bonuses, [])
  })

  for (const place of ['products', 'features', 'features/api_calls', 'bonuses']) {
    it(`has nothing for axe to find at ${place}, light and dark`, async (t) => {
      if (test === undefined) return t.skip(whyNoBrowser)
      await test.open(`/test/${place}`)
      await test.checkAccessibility()
      await test.takeScreenshots(place.replace('/', '-'))
    })
  }
})

/** A limit that two customers hold: acme uses 8 of 10, borealis 2. */
async function stock({ service }: DashboardTest): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await service.request('POST', path, { body })
    assert.ok(answer.status < 300, answer.text)
  }
  await post('/v1/features', { featureKey: 'api_calls', name: 'API calls', type: 'limit' })
  await post('/v1/features', { featureKey: 'sso', name: 'Single sign-on', type: 'boolean' })
  const featureAccess = [{ featureKey: 'api_calls', hasAccess: true, limit: 10 }]
  await post('/v1/custom-products', { productKey: 'team', name: 'Team', featureAccess })
  for (const [customerId, name, amount] of [
    ['acme', 'Acme Inc.', 8],
    ['borealis', 'Borealis', 2],
  ] as const) {
    await post('/v1/customers', { customerId, name, customProductKeys: ['team'] })
    await post('/v1/usage', { customerId, featureKey: 'api_calls', eventKey: 'first', amount })
  }
}

const readLimit = async ({ service }: DashboardTest, customerId: string): Promise<number | undefined> =>
  (await service.request('GET', `/v1/feature-access?customerId=${customerId}`)).body.api_calls.limit
