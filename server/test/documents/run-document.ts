// Runs the commands and programs of a Markdown document, as they stand there, against a service of its own, and compares what is
// answered with what the document says is answered.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { TestService } from '../service.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const packageHooks = pathToFileURL(join(root, 'sdk/test/readme-hooks.ts')).href

export type Block = { kind: string; text: string; line: number }

/** Hosts and ports in the place of the usual ones. */
type Addresses = { service: string; simulator: string }

export function readBlocks(path: string): Block[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => ({
    kind: match[1] as string,
    text: match[2] as string,
    line: text.slice(0, match.index).split('\n').length,
  }))
}

/** One shell for all commands of the document, so that what one sets the next one has. Returns what each block said. */
async function runCommands(
  blocks: Block[],
  env: Record<string, string>,
  addresses: Addresses,
): Promise<string[]> {
  const mark = (index: number) => `=== block ${index} ===`
  const script = blocks.map(
    ({ text }, index) =>
      `printf '\\n${mark(index)}\\n'\n${text
        .replaceAll('localhost:4100', addresses.service)
        .replaceAll('localhost:4101', addresses.simulator)}`,
  )
  const { stdout } = await run('bash', ['-e', '-c', script.join('\n')], { env: { ...process.env, ...env } })
  return stdout
    .split(/\n=== block \d+ ===\n/)
    .slice(1)
    .map((said) => said.trim())
}

async function runProgram({ text }: Block, env: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-document-'))
  try {
    const path = join(folder, 'program.ts')
    writeFileSync(path, text)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const options = { cwd: folder, env: { ...process.env, ...env } }
    const { stdout, stderr } = await run(process.execPath, ['--import', packageHooks, path], options)
    assert.equal(stderr, '')
    return stdout.trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A document has commands or programs: commands run in order in one shell, programs one after the other. */
export async function runDocument(path: string, service: TestService): Promise<void> {
  const blocks = readBlocks(path)
  const url = service.urls[0] as string
  const { simulatorAccess } = service.instances[0] as TestService['instances'][0]
  const addresses = { service: new URL(url).host, simulator: new URL(simulatorAccess.url).host }
  const env = {
    KEY: service.keys.test,
    TOLLKEEPER_API_KEY: service.keys.test,
    TOLLKEEPER_URL: url,
    STRIPE_KEY: simulatorAccess.secrets.test.secretKey,
  }
  const commands = blocks.filter(({ kind }) => kind === 'sh')
  const said = new Map<Block, string>()
  const answers = commands.length > 0 ? await runCommands(commands, env, addresses) : []
  for (const [index, block] of commands.entries()) said.set(block, answers[index] as string)
  for (const block of blocks) if (block.kind === 'ts') said.set(block, await runProgram(block, env))
  for (const [index, { kind, text, line }] of blocks.entries()) {
    const before = blocks[index - 1]
    if (kind === 'json') {
      assert.ok(before?.kind === 'sh', `${path}:${line} follows the command that it is the answer of`)
      const answer = (said.get(before) as string).split('\n').at(-1) ?? ''
      assertAnswer(JSON.parse(answer), JSON.parse(text), `${path}:${line}`)
    }
    if (kind === 'text') {
      assert.ok(before?.kind === 'ts', `${path}:${line} follows the program that says it`)
      assert.equal(said.get(before), text.trim(), `${path}:${line}`)
    }
  }
}

/** A document may leave fields out, and write "…" for what differs each time. */
function assertAnswer(actual: unknown, told: unknown, place: string): void {
  if (told === '…') return
  if (typeof told !== 'object' || told === null) {
    assert.deepEqual(actual, told, place)
    return
  }
  assert.ok(typeof actual === 'object' && actual !== null, `${place} is not an object`)
  if (Array.isArray(told)) assert.equal((actual as unknown[]).length, told.length, `${place}: the length`)
  for (const [key, value] of Object.entries(told))
    assertAnswer((actual as Record<string, unknown>)[key], value, `${place}.${key}`)
}
