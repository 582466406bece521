// The packed service: JavaScript only, installed into an empty folder, started by its command with a PostgreSQL of its own.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createTestFolder } from '../database.ts'

const root = join(import.meta.dirname, '../../..')
const folder = createTestFolder()
after(() => rmSync(folder, { recursive: true, force: true }))

const run = promisify(execFile)
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** As prepack does, but beside the project. */
async function pack(): Promise<string> {
  const copy = join(folder, 'package')
  mkdirSync(copy)
  cpSync(join(root, 'server/package.json'), join(copy, 'package.json'))
  cpSync(join(root, 'server/bin'), join(copy, 'bin'), { recursive: true })
  await run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(root, 'server/scripts/build.ts'),
    join(copy, 'dist'),
  ])
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: copy })
  const [packed] = globSync(join(folder, '*.tgz'))
  return packed ?? assert.fail('Nothing was packed.')
}

/** What is large, the Nodes and PostgreSQLs, is taken from here. */
async function install(packed: string): Promise<string> {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  writeFileSync(join(empty, 'package.json'), '{"private":true}')
  const options = ['--prefer-offline', '--omit=optional', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...options, packed], { cwd: empty })
  for (const name of Object.keys(readJson('server/package.json').optionalDependencies)) {
    const [from, to] = [join(root, 'node_modules', name), join(empty, 'node_modules', name)]
    if (!existsSync(from)) continue
    mkdirSync(join(to, '..'), { recursive: true })
    symlinkSync(from, to)
  }
  return empty
}

async function start(empty: string): Promise<{ url: string; key: string; stop(): Promise<number | null> }> {
  const { HOME, PATH } = process.env
  const child = spawn(join(empty, 'node_modules/.bin/tollkeeper'), ['start'], {
    cwd: empty,
    env: { HOME, PATH, PORT: '0', TOLLKEEPER_DEMO: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const lines: string[] = []
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      if (/^\s+Try /.test(line)) resolve()
    })
    ended.then((code) => reject(new Error(`It ended with ${code}: ${lines.join('\n')}`)))
  })
  const text = lines.join('\n')
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return {
    url: /API\s+(http:\S+)\/v1/.exec(text)?.[1] ?? assert.fail(text),
    key: /Test key\s+(tk_test_\S+)/.exec(text)?.[1] ?? assert.fail(text),
    stop,
  }
}

describe('the packed service', () => {
  it('runs from an empty folder: API, guide, dashboard, commands, and stops cleanly', async () => {
    const empty = await install(await pack())
    const home = join(empty, 'node_modules/tollkeeper')
    assert.deepEqual(
      globSync('**/*.ts', { cwd: home }).filter((path) => !path.includes('node_modules')),
      [],
    )
    const service = await start(empty)
    try {
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(`${service.url}${path}`, {
          ...init,
          headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
        })
      const made = await ask('/v1/customers', { method: 'POST', body: '{"customerId":"acme"}' })
      assert.equal(made.status, 201)
      for (const path of ['/openapi.json', '/guide/concepts', '/guide/sdk.md', '/guide/changelog'])
        assert.equal((await ask(path)).status, 200, path)
      assert.match(await (await ask('/login')).text(), /<script[^>]+\/assets\//)
      const { stdout } = await run(join(empty, 'node_modules/.bin/tollkeeper'), ['export', 'customers'], {
        cwd: empty,
        env: { ...process.env, TOLLKEEPER_URL: service.url, TOLLKEEPER_API_KEY: service.key },
      })
      assert.equal(JSON.parse(stdout).customerId, 'acme')
    } finally {
      assert.equal(await service.stop(), 0)
    }
    const { stdout } = await run(join(empty, 'node_modules/.bin/tollkeeper'), ['audit'], { cwd: empty })
    assert.match(stdout, /^Audited 1 customers.* no differences/)
  })

  it('is run by the Node that comes with it where the own one is older', async () => {
    const bin = readFileSync(join(root, 'server/bin/tollkeeper.js'), 'utf8')
    const older = join(folder, 'older')
    mkdirSync(join(older, 'bin'), { recursive: true })
    // As an older Node would see itself.
    writeFileSync(join(older, 'bin/tollkeeper.js'), bin.replace('process.versions.node', "'20.0.0'"))
    writeFileSync(join(older, 'package.json'), '{"type":"module"}')
    symlinkSync(join(root, 'server/src'), join(older, 'src'))
    symlinkSync(join(root, 'node_modules'), join(older, 'node_modules'))
    const { stdout } = await run(process.execPath, [join(older, 'bin/tollkeeper.js'), '--version'])
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
    const failed = await run(process.execPath, [join(older, 'bin/tollkeeper.js'), 'fly']).catch(
      (error) => error,
    )
    assert.equal(failed.code, 2)
  })

  it('names what it needs as the workspaces do', () => {
    const server = readJson('server/package.json')
    const [project, postgres, simulator] = ['', 'embedded-postgres/', 'simulator/'].map((place) =>
      readJson(`${place}package.json`),
    )
    assert.deepEqual(server.optionalDependencies, {
      ...postgres.optionalDependencies,
      ...project.optionalDependencies,
    })
    for (const [name, version] of Object.entries({ ...postgres.dependencies, ...simulator.dependencies }))
      assert.equal(server.dependencies[name], version, name)
  })
})
