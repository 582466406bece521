#!/usr/bin/env node
// The command that starts the simulator by itself and says how to reach it.
import { parseArgs } from 'node:util'
import { type StandaloneOptions, startStandalone } from './standalone/server.ts'

const help = `Usage: tollkeeper-simulator [options]

  --port <number>            where to listen (4101)
  --host <address>           127.0.0.1 unless given
  --file <path>              keep the state in this file; without it, it is gone at the end
  --key <sk_test_…>          the secret key (sk_test_simulator)
  --webhook <url>            where events are sent
  --webhook-secret <whsec_…> what they are signed with (whsec_simulator)
`

const text = { type: 'string' } as const

function readOptions(args: string[]): StandaloneOptions | string {
  const { values } = parseArgs({
    args,
    options: {
      port: text,
      host: text,
      file: text,
      key: text,
      webhook: text,
      'webhook-secret': text,
      help: { type: 'boolean' },
    },
  })
  if (values.help) return help
  const port = Number(values.port ?? 4101)
  if (!/^\d{1,5}$/.test(values.port ?? '4101') || port > 65_535) throw new Error('--port must be 0 to 65535.')
  const secretKey = values.key ?? 'sk_test_simulator'
  if (!/^sk_test_\w+$/.test(secretKey)) throw new Error('--key must be like sk_test_anything.')
  const { webhook } = values
  if (webhook !== undefined && !(URL.canParse(webhook) && /^https?:/.test(webhook))) {
    throw new Error('--webhook must be an http or https address.')
  }
  return {
    host: values.host ?? '127.0.0.1',
    port,
    file: values.file,
    secretKey,
    webhookSecret: values['webhook-secret'] ?? 'whsec_simulator',
    webhookTarget: webhook,
  }
}

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (typeof options === 'string') {
    console.log(options)
    return
  }
  const standalone = await startStandalone(options)
  const { secretKey, webhookSecret, webhookTarget, file } = options
  console.log(`Simulator   ${standalone.url}
Secret key  ${secretKey}
Webhooks    ${webhookTarget === undefined ? 'not sent (--webhook <url>)' : `${webhookTarget} signed with ${webhookSecret}`}
State       ${file ?? 'in memory (--file <path> keeps it)'}`)
  // Ctrl-C may arrive twice; the second must not cut off the writing of the file.
  let isClosing = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!isClosing) standalone.close()
      isClosing = true
    })
  }
}

run().catch((error: Error & { code?: string }) => {
  const isTaken = error.code === 'EADDRINUSE'
  console.error(isTaken ? 'The port is taken; choose another with --port.' : error.message)
  process.exitCode = 1
})
