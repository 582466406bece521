// Runs the command line as its users do: a process of its own, with its environment, output and exit code.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'

const program = join(import.meta.dirname, '../../src/cli/tollkeeper.ts')

// Half of a short command's time is compiling; within a test file it is done once.
const compiled = mkdtempSync(join(tmpdir(), 'tollkeeper-compiled-'))
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }))

export type Ended = { code: number | null; stdout: string; stderr: string }

export type Command = {
  child: ChildProcess
  /** What it has written so far. */
  output: { stdout: string; stderr: string }
  ended: Promise<Ended>
  /** Resolves when its output has matched; rejects when it ends before. */
  said(pattern: RegExp): Promise<RegExpExecArray>
}

/** Nothing of the caller's own settings reaches the command. */
export function spawnCommand(
  words: string[],
  variables: Record<string, string> = {},
  cwd = process.cwd(),
): Command {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, NODE_COMPILE_CACHE: compiled, ...variables }
  const child = spawn(process.execPath, [program, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...output })))
  const said = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(output.stdout)
        if (match) resolve(match)
      }
      child.stdout.on('data', look)
      look()
      ended.then(({ code, stderr }) => reject(new Error(`It ended with ${code}: ${stderr}`)))
    })
  return { child, output, ended, said }
}

export const runCommand = (
  words: string[],
  variables?: Record<string, string>,
  cwd?: string,
): Promise<Ended> => spawnCommand(words, variables, cwd).ended

export type Running = Command & { url: string; testKey: string | undefined }

/** A service on a free port, once it says where it is. */
export async function startCommand(variables: Record<string, string>): Promise<Running> {
  const command = spawnCommand(['start'], { PORT: '0', HOST: '127.0.0.1', ...variables })
  const [, url = ''] = await command.said(/API\s+(http:\S+)\/v1[\s\S]*Try .*\n/)
  const testKey = /Test key\s+(tk_test_\S+)/.exec(command.output.stdout)?.[1]
  return { ...command, url: url.replace('localhost', '127.0.0.1'), testKey }
}

/** A test database as the DATABASE_URL that means it. */
export function toDatabaseUrl({ user, password, host, port, database }: pg.ClientConfig): string {
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
  return `postgres://${user}${secret}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host ?? '')}`
}
