// A service with the built dashboard, and a real browser in front of it, signed in. Whatever the page complains about (its
// content security policy, an error, a request that failed) fails the test, and axe looks at pages in both schemes.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { servicePrincipal } from '../../server/src/domain/principal.ts'
import { getDemo } from '../../server/src/operations/demo/get-demo.ts'
import type { Service } from '../../server/src/service.ts'
import { runAxe } from '../../server/test/axe.ts'
import { findBrowser, noBrowser, startBrowser } from '../../server/test/browser.ts'
import { adminEmail, adminPassword } from '../../server/test/dashboard/dashboard-fixture.ts'
import { startTestService, type TestService } from '../../server/test/service.ts'

const root = join(import.meta.dirname, '../..')
const mostComplaints = 20
const waitMs = 20_000
const demoMs = 60_000
const widths = [1440, 820, 390]

export type DashboardTest = {
  service: TestService
  url: string
  page: Page
  /** Opens a page by its address and waits until nothing loads. */
  open(path: string): Promise<void>
  setColours(scheme: 'light' | 'dark'): Promise<void>
  /** Fails when axe finds something serious, in light and in dark. */
  checkAccessibility(): Promise<void>
  /** Under /tmp/dashboard-screenshots (or SCREENSHOTS), at three widths, light and dark; only when SCREENSHOTS is set. */
  takeScreenshots(name: string): Promise<void>
  /** A complaint that is meant to come: a pattern of its text. */
  expectComplaint(pattern: RegExp): void
  close(): Promise<void>
}

type Options = {
  /** Nobody has an account yet, and nobody is signed in. */
  isFirstStart?: boolean
  /** Forty customers with ninety days of usage. */
  hasDemo?: boolean
}

/** undefined, with the reason in `whyNoBrowser`, where there is no browser. */
export async function startDashboardTest(options: Options = {}): Promise<DashboardTest | undefined> {
  const { isFirstStart = false, hasDemo = false } = options
  const browserPath = await findBrowser()
  if (browserPath === undefined) return undefined
  execFileSync(process.execPath, [join(root, 'scripts/build-dashboard.mjs')], { stdio: 'pipe' })
  const admin = { TOLLKEEPER_ADMIN_EMAIL: adminEmail, TOLLKEEPER_ADMIN_PASSWORD: adminPassword }
  const service = await startTestService({
    variables: { ...(isFirstStart ? {} : admin), TOLLKEEPER_DEMO: hasDemo ? '1' : '0' },
  })
  const url = service.urls[0] as string
  const { context, close } = await startBrowser(browserPath, { viewport: { width: 1440, height: 900 } })
  const page = context.pages()[0] ?? (await context.newPage())
  const complaints = watch(page)
  page.setDefaultTimeout(waitMs)
  const end = async () => {
    await close()
    await service.close()
  }
  try {
    if (hasDemo) await makeDemo(service.instances[0] as Service)
    if (!isFirstStart) await signIn(page, url)
  } catch (error) {
    await end()
    throw error
  }

  async function setColours(scheme: 'light' | 'dark'): Promise<void> {
    await page.evaluate((value) => window.localStorage.setItem('tollkeeper.colour', value), scheme)
    await page.emulateMedia({ colorScheme: scheme })
    await page.evaluate(
      (value) => document.documentElement.setAttribute('data-mantine-color-scheme', value),
      scheme,
    )
  }

  return {
    service,
    url,
    page,
    async open(path) {
      await page.goto(url + path)
      await settle(page)
    },
    setColours,
    async checkAccessibility() {
      for (const scheme of ['light', 'dark'] as const) {
        await setColours(scheme)
        assert.deepEqual(await runAxe(page), [], `${page.url()} in ${scheme}`)
      }
      await setColours('light')
    },
    takeScreenshots: (name) => takeScreenshots(page, name, setColours),
    expectComplaint: (pattern) => complaints.expected.push(pattern),
    async close() {
      await end()
      const { found, expected } = complaints
      const meant = [...found].filter((text) => !expected.some((pattern) => pattern.test(text)))
      assert.deepEqual(meant.slice(0, mostComplaints), [], 'what the pages complained about')
    },
  }
}

export const whyNoBrowser = noBrowser

async function makeDemo({ services, startDemo }: Service): Promise<void> {
  await startDemo()
  for (const end = Date.now() + demoMs; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const { isFinished } = await getDemo(services, servicePrincipal('test', 'test'))
    if (isFinished) return
    assert.ok(Date.now() < end, 'the demo data is made')
  }
}

function watch(page: Page): { found: Set<string>; expected: RegExp[] } {
  const found = new Set<string>()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      found.add(`${message.type()}: ${message.text()} ${message.location().url}`)
    }
  })
  page.on('pageerror', (error) => found.add(`error: ${error.message}`))
  return { found, expected: [] }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('E-mail').fill(adminEmail)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/(test|live)/)
  await settle(page)
}

/** Until the page is there and no skeleton is left. Asked from here: the page's policy lets no polling script in. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  const skeletons = page.locator('.mantine-Skeleton-root')
  for (const end = Date.now() + waitMs; (await skeletons.count()) > 0; await page.waitForTimeout(50)) {
    assert.ok(Date.now() < end, `${page.url()} still loads`)
  }
}

async function takeScreenshots(
  page: Page,
  name: string,
  setColours: (scheme: 'light' | 'dark') => Promise<void>,
): Promise<void> {
  const wish = process.env.SCREENSHOTS
  if (wish === undefined) return
  const folder = wish.startsWith('/') ? wish : '/tmp/dashboard-screenshots'
  mkdirSync(folder, { recursive: true })
  for (const scheme of ['light', 'dark'] as const) {
    await setColours(scheme)
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 700 ? 844 : 900 })
      await page.waitForTimeout(250)
      await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await setColours('light')
}
