// The example as its reader runs it, beside a service and in a real browser: from signing in over the limit to Pro, and back by the
// portal.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { runAxe } from '../axe.ts'
import { linkNew, openShop, type Shop } from '../billing/shop-fixture.ts'
import { type Browsing, findBrowser, noBrowser, startBrowser } from '../browser.ts'

const root = join(import.meta.dirname, '../../..')
const browser = await findBrowser()
const waitMs = 20_000

/** By the very command of `npm run example`; resolves with the address that it prints. */
async function startExample(shop: Shop): Promise<{ url: string; child: ChildProcess }> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [, command, ...words] = (scripts.example as string).split(' ')
  assert.equal(command, 'node')
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: {
      ...process.env,
      TOLLKEEPER_URL: shop.urls[0] as string,
      TOLLKEEPER_API_KEY: shop.keys.test,
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The example ended with ${code}.`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /http:\S+/.exec(line)?.[0]
      if (url) resolve({ url, child })
    })
  })
}

async function stopExample(child: ChildProcess): Promise<void> {
  child.removeAllListeners('exit')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

describe('examples/chat', { skip: browser ? false : noBrowser }, () => {
  let shop: Shop
  let example: { url: string; child: ChildProcess }
  let browsing: Browsing
  let page: Page
  const complaints: string[] = []

  before(async () => {
    shop = await openShop()
    await linkNew(shop, 'starter', 2_900)
    await linkNew(shop, 'pro', 9_900)
    // What a plan gives already stays, and a second start finds everything there.
    const feature = { featureKey: 'sso', name: 'Single sign-on', type: 'boolean' }
    assert.equal((await shop.post('/v1/features', feature)).status, 201)
    const featureAccess = [{ featureKey: 'sso', hasAccess: true }]
    assert.equal((await shop.put('/v1/products/pro/feature-access', { featureAccess })).status, 200)
    await stopExample((await startExample(shop)).child)
    example = await startExample(shop)
    browsing = await startBrowser(browser as string, { viewport: { width: 1280, height: 800 } })
    page = await browsing.context.newPage()
    page.setDefaultTimeout(waitMs)
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
  })
  after(async () => {
    await browsing?.close()
    if (example) await stopExample(example.child)
    await shop?.close()
  })

  const read = async () => (await shop.get('/v1/customers/ada')).body
  const readUsed = async (): Promise<number> => (await read()).featureAccess.chat_tokens.usage.used
  const send = async (text: string) => {
    const before = await page.locator('.model').count()
    await page.getByLabel('Message').fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.model').nth(before).waitFor()
  }
  const showsUsed = async () =>
    page.getByText(`${(await readUsed()).toLocaleString('en')} of`, { exact: false }).waitFor()

  it('adds its features to the plans and leaves the rest of them alone', async () => {
    const entries = (await shop.get('/v1/products/pro')).body.featureAccess as {
      featureKey: string
      hasAccess: boolean
    }[]
    assert.deepEqual(
      entries.map(({ featureKey, hasAccess }) => [featureKey, hasAccess]).sort(),
      ['chat_tokens', 'large_model', 'sso'].map((key) => [key, true]),
    )
  })

  it('lets nobody chat, buy or read access who is not signed in', async () => {
    for (const path of ['/api/chat', '/plan', '/billing'])
      assert.equal((await fetch(example.url + path, { method: 'POST', body: '{}' })).status, 401, path)
    assert.equal((await fetch(`${example.url}/api/access`)).status, 401)
  })

  it('signs in a customer on the free plan', async () => {
    await page.goto(example.url)
    assert.deepEqual(await runAxe(page), [])
    await page.getByLabel('Name').fill('ada')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('of 500 tokens').waitFor()
    assert.deepEqual(
      (await read()).products.map(({ key }: { key: string }) => key),
      ['free'],
    )
    assert.ok(await page.getByRole('option', { name: 'Large model (Pro)' }).isDisabled())
  })

  it('refuses the large model on the server, too', async () => {
    const refused = await page.request.post(`${example.url}/api/chat`, {
      data: { text: 'Hello', model: 'large' },
    })
    assert.equal(refused.status(), 403)
    assert.equal(await readUsed(), 0)
  })

  it('counts an answer as what it cost, and moves the meter', async () => {
    await send('What should a plan cost?')
    const { amount } = (await shop.get('/v1/usage?customerId=ada&featureKey=chat_tokens')).body.events[0]
    // More than the question alone, which was reserved before.
    assert.ok(amount > 20, `${amount} tokens`)
    await page.getByText(`${amount} tokens`, { exact: true }).waitFor()
    await showsUsed()
  })

  it('offers Pro when too little is left for a question, and closes the gate at the limit, here and on the server', async () => {
    const refuse = async (text: string) => {
      const used = await readUsed()
      const refused = await page.request.post(`${example.url}/api/chat`, { data: { text, model: 'small' } })
      assert.equal(refused.status(), 402)
      assert.equal(await readUsed(), used)
    }
    const question = 'And how many plans are too many? '.repeat(30)
    const offer = page.getByText('Too few tokens are left.')
    for (let left = 10; !(await offer.isVisible()); left--) {
      assert.ok(left > 0, 'a question is refused')
      const before = await page.locator('.model').count()
      await page.getByLabel('Message').fill(question)
      await page.getByRole('button', { name: 'Send' }).click()
      await page.locator('.model').nth(before).or(offer).first().waitFor()
      await showsUsed()
    }
    await refuse(question)
    assert.ok((await readUsed()) < 500)
    await page.reload()
    for (let left = 20; await page.getByLabel('Message').isVisible(); left--) {
      assert.ok(left > 0, 'the limit is reached')
      await send('Why?')
      await showsUsed()
    }
    await page.getByText('Your tokens are used up.').waitFor()
    assert.ok((await readUsed()) >= 500)
    await refuse('Why?')
    assert.deepEqual(await runAxe(page), [])
    await takeScreenshot(page, 'example-used-up')
  })

  it('sells Pro, and the chat goes on where it was, with the large model', async () => {
    await page.locator('.buy-pro').getByRole('button', { name: 'Get Pro' }).click()
    await page.getByRole('heading', { name: 'Subscribe to pro' }).waitFor()
    await page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText('of 200,000 tokens').waitFor()
    assert.ok((await page.locator('.model').count()) > 2)
    await page.getByLabel('Model', { exact: true }).selectOption('large')
    const before = await readUsed()
    await send('What is the large model like?')
    assert.ok((await readUsed()) > before)
    await showsUsed()
    await takeScreenshot(page, 'example-pro')
  })

  it('switches to Starter on the provider’s page, at once', async () => {
    await page.getByRole('button', { name: 'Switch to starter' }).click()
    await page.getByRole('heading', { name: 'Confirm your updates' }).waitFor()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('of 20,000 tokens').waitFor()
    assert.ok(await page.getByRole('option', { name: 'Large model (Pro)' }).isDisabled())
  })

  it('leads to the portal and back', async () => {
    await page.getByRole('button', { name: 'Manage billing' }).click()
    await page.getByRole('button', { name: 'Cancel at period end' }).waitFor()
    await page.goBack()
    await page.getByText('of 20,000 tokens').waitFor()
  })

  it('made the browser complain of nothing', () => {
    // What was refused on purpose is told by the browser, too.
    assert.deepEqual(
      complaints.filter((text) => !/status of 402/.test(text)),
      [],
    )
  })
})

/** Only when SCREENSHOTS names a folder. */
async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
