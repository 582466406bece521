// A real browser for tests: the one the machine has, the one from npm, or on a machine of a CI Debian's own.
import { execFileSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const unpackLimitMs = 300_000

/** The path of a browser; undefined when there is none to be had, and tests in a browser are skipped with a reason. */
export async function findBrowser(): Promise<string | undefined> {
  const given = process.env.CHROMIUM_PATH
  if (given) return given
  return findInstalled() ?? (await findPackaged()) ?? unpackFromDebian()
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

/**
 * Only on machines that test: Debian's own, unpacked beside the temporary files with the libraries it needs, for architectures that
 * npm has none for. Nothing is installed, and no rights are needed.
 */
function unpackFromDebian(): string | undefined {
  if (!process.env.CI || !existsSync('/usr/bin/apt-get')) return undefined
  const folder = join(tmpdir(), `tollkeeper-chromium-${process.getuid?.()}`)
  const starter = join(folder, 'chromium')
  if (existsSync(starter)) return starter
  const [lists, archives] = [join(folder, 'state/lists'), join(folder, 'cache/archives')]
  for (const each of [lists, archives]) mkdirSync(join(each, 'partial'), { recursive: true })
  const settings = [
    `Dir::State=${folder}/state`,
    `Dir::Cache=${folder}/cache`,
    `Dir::Log=${folder}`,
    'Dir::State::status=/var/lib/dpkg/status',
    'APT::Sandbox::User=root',
    'Debug::NoLocking=1',
  ].flatMap((setting) => ['-o', setting])
  const run = (command: string, words: string[]) =>
    execFileSync(command, words, { timeout: unpackLimitMs, stdio: 'ignore' })
  try {
    run('apt-get', [...settings, 'update'])
    run('apt-get', [...settings, '-y', '--no-install-recommends', '--download-only', 'install', 'chromium'])
    const packages = readdirSync(archives).filter((name) => name.endsWith('.deb'))
    for (const name of packages) run('dpkg', ['-x', join(archives, name), folder])
  } catch {
    return undefined
  }
  const libraries = ['usr/lib', 'lib'].flatMap((name) =>
    globSync(`${name}/*-linux-gnu{,/*}`, { cwd: folder }).map((path) => join(folder, path)),
  )
  const lines = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH=${libraries.join(delimiter)} FONTCONFIG_PATH=${folder}/etc/fonts`,
    `exec ${folder}/usr/lib/chromium/chromium "$@"`,
  ]
  // Last: its presence says that all the rest is there.
  writeFileSync(starter, `${lines.join('\n')}\n`, { mode: 0o755 })
  return starter
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
