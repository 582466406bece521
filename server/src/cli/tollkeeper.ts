#!/usr/bin/env node
// The command line: one word picks the command, each in a file of its own. Exit codes: 0 done, 1 failed, 2 wrong usage.
import { readConfig } from '../config.ts'
import { explain } from './explain.ts'
import { findHelp, overview } from './help.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.ts'

type Run = (words: string[]) => Promise<void>

// Loaded when asked for: a command about keys need not wait for the whole service.
const commands: Record<string, Run> = {
  start: async (words) => (await import('./start.ts')).startCommand(process.env, words),
  keys: async (words) => (await import('./keys.ts')).keysCommand(readConfig(process.env), words),
  people: async (words) => (await import('./people.ts')).peopleCommand(readConfig(process.env), words),
  demo: async (words) => (await import('./demo.ts')).demoCommand(readConfig(process.env), words),
  audit: async (words) => (await import('./audit.ts')).auditCommand(readConfig(process.env), words),
  doctor: async (words) => (await import('./doctor.ts')).doctorCommand(process.env, words),
  pull: async (words) => (await import('./pull.ts')).pullCommand(process.env, words),
  plan: async (words) => (await import('./catalogue/plan.ts')).planCommand(process.env, words),
  push: async (words) => (await import('./catalogue/push.ts')).pushCommand(process.env, words),
  import: async (words) => (await import('./import/import.ts')).importCommand(process.env, words),
  export: async (words) => (await import('./export/export.ts')).exportCommand(process.env, words),
}

const [word = '', ...rest] = process.argv.slice(2)

async function run(): Promise<void> {
  if (word === '--version' || word === '-v') return say(version)
  const isHelp = word === 'help' || word === '--help' || word === '-h'
  if (isHelp && rest.length === 0) return say(overview)
  const name = isHelp ? (rest[0] ?? '') : word
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined)
    throw new UsageError(name === '' ? 'A command is missing.' : `There is no command ${name}.`)
  if (isHelp || rest.includes('--help') || rest.includes('-h')) return say(findHelp(name))
  return command(rest)
}

const say = (text: string): void => {
  process.stdout.write(`${text.trimEnd()}\n`)
}

// A reader that has seen enough, as head has, ends the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await run()
} catch (error) {
  const isUsage = error instanceof UsageError
  process.stderr.write(`${isUsage ? `${error.message}\n${wayToHelp()}` : explain(error)}\n`)
  process.exitCode = isUsage ? 2 : 1
}

function wayToHelp(): string {
  return `See tollkeeper ${Object.hasOwn(commands, word) ? `${word} ` : ''}--help.`
}
