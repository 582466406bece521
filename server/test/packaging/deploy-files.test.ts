// Files for containers, systemd and workflows: every path, script and variable that they name exists.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const project = JSON.parse(read('package.json'))
const server = JSON.parse(read('server/package.json'))

const files = [
  'Dockerfile',
  'compose.yaml',
  'deploy/tollkeeper.service',
  ...globSync('.github/workflows/*.yml', { cwd: root }),
]
const text = files.map(read).join('\n')

describe('deployment files', () => {
  it('run scripts and pack workspaces that exist', () => {
    const scripts = [...text.matchAll(/npm (?:run )?(test|start|check|[\w-]+:[\w-]+)\b/g)].map(
      ([, name]) => name as string,
    )
    assert.ok(scripts.includes('check'))
    for (const name of scripts) assert.ok(project.scripts[name], name)
    const workspaces = [...text.matchAll(/--workspace (\S+)/g)].map(([, name]) => name as string)
    assert.deepEqual([...new Set(workspaces)].sort(), ['sdk', 'server', 'simulator'])
    for (const name of workspaces) assert.ok(JSON.parse(read(`${name}/package.json`)).scripts.prepack, name)
    assert.ok(statSync(join(root, '.ci/run')).mode & 0o100)
  })

  it('start the command of the package, by its name and place', () => {
    assert.equal(server.name, 'tollkeeper')
    const [place] = /\/app\/node_modules\/tollkeeper\/(\S+\.js)/.exec(read('Dockerfile'))?.slice(1) ?? []
    assert.equal(place, server.bin.tollkeeper)
    assert.ok(existsSync(join(root, 'server', place ?? '')))
    assert.match(read('deploy/tollkeeper.service'), /^ExecStart=\S+\/node_modules\/\.bin\/tollkeeper start$/m)
    assert.match(read('Dockerfile'), /\/readyz`/)
    assert.match(read('server/src/http/health.ts'), /'\/readyz'/)
  })

  it('set variables that the service reads, and mount every secret that they name', () => {
    const known = `${read('server/src/config.ts')}${read('server/src/provider/stripe/settings.ts')}`
    const named = [
      ...(/^ENV (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/(\w+)=/g),
      ...(/^Environment=(.*)$/m.exec(read('deploy/tollkeeper.service'))?.[1] ?? '').matchAll(/(\w+)=/g),
      ...(read('compose.yaml').split('  database:')[0] ?? '').matchAll(/^ {6}([A-Z_]+):/gm),
    ].map(([, name]) => (name as string).replace(/_FILE$/, ''))
    assert.ok(named.includes('DATABASE_URL') && named.includes('PORT'))
    for (const name of named) if (name !== 'NODE_ENV') assert.ok(known.includes(`'${name}'`), name)
    const compose = read('compose.yaml')
    for (const [, name] of compose.matchAll(/\/run\/secrets\/([\w-]+)/g))
      assert.match(compose, new RegExp(`^ {2}${name}: \\{ file: `, 'm'))
  })

  it('run as nobody in particular, and leave out of the image what is large or secret', () => {
    assert.match(read('Dockerfile'), /^USER node$/m)
    assert.match(read('deploy/tollkeeper.service'), /^DynamicUser=yes$/m)
    for (const path of ['.git', '.tollkeeper', '**/node_modules'])
      assert.ok(read('.dockerignore').split('\n').includes(path), path)
  })

  it('are linked from documents that link only to what exists', () => {
    for (const path of ['README.md', 'docs/production.md', 'docs/versioning.md']) {
      const folder = join(root, path, '..')
      for (const [, target] of read(path).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
        assert.ok(existsSync(join(folder, target as string)), `${path}: ${target}`)
    }
  })
})
