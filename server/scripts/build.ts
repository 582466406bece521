// prepack: the service with its workspaces as JavaScript in one tree, since Node strips no types under node_modules. Types are
// blanked out in place, so that a line in a stack trace is the line of the source.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')
const out = process.argv[2] ?? join(root, 'server/dist')

// Of the SDK what the commands use: the rest is the package of that name.
const sources = [
  'server/src/**/*.ts',
  'simulator/src/**/*.ts',
  'embedded-postgres/src/**/*.ts',
  'sdk/src/{generated,resources,spool}/*.ts',
  'sdk/src/!(testing|react).ts',
]
// What stands beside the code and is sent as it is.
const assets = ['server/src/**/*.!(ts)', 'simulator/src/**/*.!(ts)']
const copied = [
  'server/migrations',
  'server/openapi.json',
  'server/package.json',
  'LICENSE',
  // The guide.
  'docs',
  'sdk/README.md',
  'CHANGELOG.md',
]

/** Where a workspace's import leads to in the tree; undefined for what npm installs. */
function findTarget(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  const [, workspace = '', rest = ''] = /^@tollkeeper\/([\w-]+)(?:\/(.*))?$/.exec(specifier) ?? []
  if (workspace === 'embedded-postgres') return `${workspace}/src/${rest || 'embedded-postgres'}.ts`
  return rest.startsWith('src/') ? `${workspace}/${rest}` : undefined
}

function rewrite(path: string, text: string): string {
  return text.replaceAll(
    /(\bfrom |\bimport\(|^import )'([^']+)'/gm,
    (all, before: string, specifier: string) => {
      const target = findTarget(specifier, path)
      if (target === undefined || !existsSync(join(root, target))) return all
      const near = relative(dirname(path), target).replaceAll('\\', '/').replace(/\.ts$/, '.js')
      return `${before}'${near.startsWith('.') ? near : `./${near}`}'`
    },
  )
}

function emit(path: string): void {
  const target = join(out, path.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, rewrite(path, stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'))))
}

rmSync(out, { recursive: true, force: true })
for (const path of globSync(sources, { cwd: root })) emit(path.replaceAll('\\', '/'))
// x.js beside x.ts would take the place of what that became.
for (const path of [...globSync(assets, { cwd: root }), ...copied])
  cpSync(join(root, path), join(out, path), { recursive: true, force: false, errorOnExist: true })
execFileSync(process.execPath, [join(root, 'scripts/build-dashboard.mjs')], { stdio: 'inherit' })
cpSync(join(root, 'dashboard/dist'), join(out, 'dashboard/dist'), { recursive: true })
