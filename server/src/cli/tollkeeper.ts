#!/usr/bin/env node
// The command line: one word picks the command, each in a file of its own.
import { readConfig } from '../config.ts'
import { auditCommand } from './audit.ts'
import { explain } from './explain.ts'
import { keysCommand } from './keys.ts'
import { start } from './start.ts'
import { UsageError } from './usage-error.ts'

const help = `tollkeeper start                 run the service (the same as npm start)
tollkeeper audit                 recompute all that is stored; exit code 1 on any difference
tollkeeper keys create           --environment test|live --name NAME [--scope full|read] [--expires-in-days N]
tollkeeper keys list             --environment test|live
tollkeeper keys rotate KEY_ID    --environment test|live [--grace-hours 24]
tollkeeper keys revoke KEY_ID    --environment test|live
`

const [command, ...rest] = process.argv.slice(2)
try {
  if (command === 'start') await start(process.env)
  else if (command === 'audit') await auditCommand(readConfig(process.env), rest)
  else if (command === 'keys') await keysCommand(readConfig(process.env), rest)
  else
    throw new UsageError(command === undefined ? 'A command is missing.' : `There is no command ${command}.`)
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${help}`)
  else process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
