// The packed simulator: JavaScript only, installed into an empty folder, started by its command.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import Stripe from 'stripe'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-pack-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const run = promisify(execFile)

/** Packs a copy, so that the build does not lie about in the project. */
async function pack(): Promise<string> {
  const copy = join(folder, 'simulator')
  const skipped = ['node_modules', 'dist']
  cpSync(join(root, 'simulator'), copy, {
    recursive: true,
    filter: (path) => !skipped.includes(basename(path)),
  })
  cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: copy })
  const [packed] = globSync(join(folder, '*.tgz'))
  return packed ?? assert.fail('Nothing was packed.')
}

async function install(packed: string): Promise<string> {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  writeFileSync(join(empty, 'package.json'), '{"private":true}')
  // Its one dependency comes from here: no registry is asked.
  const dependency = join(root, 'node_modules/zod')
  const options = ['--offline', '--install-links', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...options, dependency, packed], { cwd: empty })
  return empty
}

/** Starts the command and gives its process with the lines it said. */
async function start(empty: string): Promise<{ stop(): Promise<number | null>; lines: string[] }> {
  const command = join(empty, 'node_modules/.bin/tollkeeper-simulator')
  const child = spawn(process.execPath, [command, '--port', '0'], {
    cwd: empty,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line) === 4 && resolve())
    ended.then((code) => reject(new Error(`It ended with ${code}: ${lines.join(' ')}`)))
  })
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { stop, lines }
}

describe('the packed simulator', () => {
  it('is JavaScript that runs from an empty folder, by its command and as a library', async () => {
    const empty = await install(await pack())
    const home = join(empty, 'node_modules/@tollkeeper/simulator')
    assert(existsSync(join(home, 'dist/main.js')) && existsSync(join(home, 'README.md')))
    assert.deepEqual(
      globSync('**/*.ts', { cwd: home }).filter((path) => !path.endsWith('.d.ts')),
      [],
    )
    const { stop, lines } = await start(empty)
    try {
      const url = new URL(/http\S+/.exec(lines[0] ?? '')?.[0] ?? assert.fail(lines.join('\n')))
      const key = /sk_test_\w+/.exec(lines[1] ?? '')?.[0] ?? assert.fail(lines.join('\n'))
      const stripe = new Stripe(key, { host: url.hostname, port: Number(url.port), protocol: 'http' })
      assert.equal((await stripe.products.create({ name: 'Packed' })).name, 'Packed')
      assert((await (await fetch(url)).text()).includes('Packed'))
    } finally {
      assert.equal(await stop(), 0)
    }
    const use =
      "import { createSimulator } from '@tollkeeper/simulator'; import { createMemoryStore } from '@tollkeeper/simulator/memory-store'; console.log(typeof createSimulator, typeof createMemoryStore)"
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', use], { cwd: empty })
    assert.equal(stdout.trim(), 'function function')
  })
})
