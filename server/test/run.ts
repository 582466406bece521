// What `npm test` runs: one PostgreSQL with the migrated template, then Node's test runner over the workspaces' tests.
// `npm test -- path…` narrows them to files or folders; arguments that begin with a dash go to the runner.
import { spawn } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '@tollkeeper/embedded-postgres/start-error'
import { connectionVariable, startTestServer } from './database.ts'

const root = join(import.meta.dirname, '../..')

function findWorkspaceTests(): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[]
  }
  return workspaces.map((workspace) => join(root, workspace, 'test'))
}

function findTestFiles(paths: string[]): string[] {
  const roots = paths.length > 0 ? paths : findWorkspaceTests()
  return roots.flatMap((path) => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    return globSync(isFolder ? join(path, '**/*.test.ts') : path)
  })
}

function runTests(files: string[], options: string[], connection: unknown): Promise<number> {
  // One more than the cores that a small machine has: many tests wait more than they compute.
  const args = ['--test', '--test-concurrency=3', '--test-reporter=spec', ...options, ...files]
  const env = { ...process.env, [connectionVariable]: JSON.stringify(connection) }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: 'inherit' })
    // Ctrl-C reaches the runner by itself; either way the database is stopped only after the last test has ended.
    process.on('SIGINT', () => {})
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

const args = process.argv.slice(2)
const paths = args.filter((arg) => !arg.startsWith('-'))
const files = findTestFiles(paths).sort()
if (files.length === 0) {
  console.error(`No test files match ${paths.join(' ') || '<workspace>/test/**/*.test.ts'}.`)
  process.exit(1)
}
try {
  const server = await startTestServer()
  try {
    const options = args.filter((arg) => arg.startsWith('-'))
    process.exitCode = await runTests(files, options, server.connection)
  } finally {
    await server.stop()
  }
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
}
