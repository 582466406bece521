// The packed package in an empty folder, and programs that use it there.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

export type Packed = Awaited<ReturnType<typeof installPacked>>

export async function installPacked() {
  const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-sdk-pack-'))
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  writeFileSync(join(empty, 'package.json'), '{"private":true,"type":"module"}')
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...options, await pack(folder)], { cwd: empty })
  // Peers that a user has already: no registry is asked.
  mkdirSync(join(empty, 'node_modules/@types'), { recursive: true })
  for (const name of [
    'react',
    'react-dom',
    'scheduler',
    'csstype',
    '@types/react',
    '@types/node',
    'undici-types',
  ])
    symlinkSync(join(root, 'node_modules', name), join(empty, 'node_modules', name))
  return {
    empty,
    home: join(empty, 'node_modules/@tollkeeper/sdk'),
    runScript: async (text: string) => {
      writeFileSync(join(empty, 'use.js'), text)
      return (await run(process.execPath, ['use.js'], { cwd: empty })).stdout.trim()
    },
    /** What the compiler says of files in a folder of their own; nothing if all is well. */
    compile: (name: string, files: Record<string, string>) => compile(join(empty, name), files),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Packs a copy, so that the build does not lie about in the project. */
async function pack(folder: string): Promise<string> {
  const skipped = ['node_modules', 'dist']
  const filter = (path: string) => !skipped.includes(basename(path))
  cpSync(join(root, 'sdk'), join(folder, 'sdk'), { recursive: true, filter })
  cpSync(join(root, 'server/src/domain'), join(folder, 'server/src/domain'), { recursive: true })
  cpSync(join(root, 'server/package.json'), join(folder, 'server/package.json'))
  cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: join(folder, 'sdk') })
  const [packed] = globSync(join(folder, '*.tgz'))
  return packed ?? assert.fail('Nothing was packed.')
}

async function compile(folder: string, files: Record<string, string>): Promise<string> {
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    // Our own declarations are looked at, too.
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    types: ['node'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  const compiler = join(root, 'node_modules/.bin/tsc')
  return run(compiler, ['-p', folder]).then(
    () => '',
    ({ stdout }) => String(stdout),
  )
}
