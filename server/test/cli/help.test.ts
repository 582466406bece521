// The command line as a whole: help for every command, exit codes, and what is not known refused by name.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runCommand } from './command.ts'

const source = readFileSync(join(import.meta.dirname, '../../src/cli/tollkeeper.ts'), 'utf8')
const commands = [...source.matchAll(/^ {2}(\w+): async \(words\)/gm)].map((match) => match[1] as string)

describe('tollkeeper', () => {
  it('lists every command in its help, and says of each how it is written', async () => {
    assert.ok(commands.length >= 8)
    const { code, stdout, stderr } = await runCommand(['--help'])
    assert.deepEqual([code, stderr], [0, ''])
    for (const name of commands) {
      assert.match(stdout, new RegExp(`^ {2}tollkeeper ${name} +\\w`, 'm'))
      const help = await runCommand([name, '--help'])
      assert.deepEqual([help.code, help.stderr], [0, ''], name)
      assert.match(help.stdout, new RegExp(`^tollkeeper ${name}\\b`))
    }
    assert.equal((await runCommand(['help', 'keys'])).stdout, (await runCommand(['keys', '-h'])).stdout)
  })

  it('says its version', async () => {
    assert.match((await runCommand(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
  })

  it('exits with 2 for what makes no sense, and says where the help is', async () => {
    const wrong: [string[], RegExp][] = [
      [[], /^A command is missing\.\nSee tollkeeper --help\.\n$/],
      [['fly'], /^There is no command fly\.\nSee tollkeeper --help\.\n$/],
      [['constructor'], /^There is no command constructor\./],
      [['keys'], /^keys needs one of/],
      [['keys', 'list', '--colour', 'red'], /^Unknown option '--colour'\.\nSee tollkeeper keys --help\.\n$/],
      [['keys', 'list', 'a', 'b'], /^There is no use for "b" here/],
      [['start', '--fast'], /^Unknown option '--fast'\./],
      [['audit', 'all'], /^There is no use for "all" here/],
      [['plan', '--yess'], /^Unknown option '--yess'\./],
      [['import', 'customers'], /^import customers needs a file/],
      [['import', 'customers', 'x.txt'], /^--format csv or --format ndjson/],
      [['import', 'provider'], /^import provider needs --customer-id/],
      [['export', 'everything'], /^export needs one of customers, usage, bonuses, catalogue/],
      [['export', 'catalogue', '--format', 'csv'], /^export catalogue writes ndjson only/],
      [['export', 'customers'], /TOLLKEEPER_API_KEY/],
    ]
    for (const [words, sentence] of wrong) {
      const { code, stdout, stderr } = await runCommand(words)
      assert.deepEqual([code, stdout], [2, ''], words.join(' '))
      assert.match(stderr, sentence)
      assert.doesNotMatch(stderr, /\n {4}at /)
    }
  })

  it('writes no colours where nobody looks', async () => {
    const { stdout } = await runCommand(['--help'], { FORCE_COLOR: '1' })
    assert.ok(!stdout.includes('\u001b'))
  })
})
