// A real browser for tests: the one the machine has, the one from npm, or on a root CI machine Debian's own.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const installLimitMs = 300_000

/** The path of a browser; undefined when there is none to be had, and tests in a browser are skipped with a reason. */
export async function findBrowser(): Promise<string | undefined> {
  const given = process.env.CHROMIUM_PATH
  if (given) return given
  return findInstalled() ?? (await findPackaged()) ?? installFromDebian()
}

export const noBrowser = 'no browser here: set CHROMIUM_PATH, or install chromium'

function findInstalled(): string | undefined {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  return folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .concat('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome')
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The packaged one is built for Linux on x64 only. */
async function findPackaged(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const packaged = await import('@sparticuz/chromium')
  return packaged.default.executablePath()
}

/** Only where a machine is there for nothing else than running the tests. */
function installFromDebian(): string | undefined {
  const isOurs = process.env.CI && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!isOurs) return undefined
  const options = {
    timeout: installLimitMs,
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  try {
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options)
  } catch {
    return undefined
  }
  return findInstalled()
}

export type Browsing = { context: BrowserContext; close(): Promise<void> }

/** A browser that knows nothing yet and calls nobody by itself. */
export async function startBrowser(path: string, options: BrowserContextOptions = {}): Promise<Browsing> {
  const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-browser-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    ...options,
  })
  return {
    context,
    async close() {
      await context.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
