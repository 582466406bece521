#!/usr/bin/env node
// The command line: one word picks the command, each in a file of its own.
import { readConfig } from '../config.ts'
import { explain } from './explain.ts'
import { UsageError } from './usage-error.ts'

const help = `tollkeeper start                 run the service (the same as npm start)
tollkeeper pull                  [--url URL] [--out tollkeeper.d.ts] [--check]: types of the catalogue for the SDK
tollkeeper demo                  [--remove]: demo data in an empty test environment, or without it again
tollkeeper audit                 recompute all that is stored; exit code 1 on any difference
tollkeeper keys create           --environment test|live --name NAME [--scope full|read] [--expires-in-days N]
tollkeeper keys list             --environment test|live
tollkeeper keys rotate KEY_ID    --environment test|live [--grace-hours 24]
tollkeeper keys revoke KEY_ID    --environment test|live
tollkeeper people list
tollkeeper people invite EMAIL   [--role admin|member|read]: prints the link with which to join
tollkeeper people link [EMAIL]   prints a link to join or for a new password; without EMAIL, for the first admin
tollkeeper people role EMAIL     --role admin|member|read
tollkeeper people remove EMAIL
`

// Loaded when asked for: a command about keys need not wait for the whole service.
const commands: Record<string, (words: string[]) => Promise<void>> = {
  start: async () => (await import('./start.ts')).start(process.env),
  pull: async (words) => (await import('./pull.ts')).pullCommand(process.env, words),
  audit: async (words) => (await import('./audit.ts')).auditCommand(readConfig(process.env), words),
  demo: async (words) => (await import('./demo.ts')).demoCommand(readConfig(process.env), words),
  people: async (words) => (await import('./people.ts')).peopleCommand(readConfig(process.env), words),
  keys: async (words) => (await import('./keys.ts')).keysCommand(readConfig(process.env), words),
}

const [word, ...rest] = process.argv.slice(2)
try {
  const command = Object.entries(commands).find(([name]) => name === word)?.[1]
  if (!command)
    throw new UsageError(word === undefined ? 'A command is missing.' : `There is no command ${word}.`)
  await command(rest)
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${help}`)
  else process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
