// tollkeeper demo [--remove]
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '@tollkeeper/embedded-postgres/start-error'
import type { Config } from '../config.ts'
import { servicePrincipal } from '../domain/principal.ts'
import { openContext } from '../operations/context.ts'
import { getDemo } from '../operations/demo/get-demo.ts'
import { makeDemo } from '../operations/demo/make-demo.ts'
import { removeDemo } from '../operations/demo/remove-demo.ts'
import type { Services } from '../operations/services.ts'
import { startService } from '../service.ts'
import { migrate } from '../storage/migrate.ts'
import { ensureSecret } from './data-secret.ts'
import { joinStorage } from './open-storage.ts'
import { readWords } from './words.ts'

const waitsAtMostMs = 120_000
const principal = servicePrincipal('test', 'command line')

/** An instance of its own, on free ports, works beside a running one. */
export async function demoCommand(config: Config, words: string[]): Promise<void> {
  const { values } = readWords(words, { remove: { type: 'boolean', default: false } })
  const storage = await joinStorage(config)
  try {
    await migrate(storage.connection)
    const own = { port: 0, simulatorPort: 0, host: '127.0.0.1', secret: ensureSecret(config) }
    const service = await startService({ ...config, ...own }, storage.connection)
    const say = (text: string) => process.stdout.write(`${text}\n`)
    const work = values.remove ? remove(service.services, say) : make(service.services, say)
    await work.finally(() => service.close())
  } finally {
    await storage.stop()
  }
}

async function make(services: Services, say: (text: string) => void): Promise<void> {
  const made = await makeDemo(services, principal)
  const deadlineAt = Date.now() + waitsAtMostMs
  while (!(await getDemo(services, principal)).isFinished) {
    if (Date.now() > deadlineAt) throw new StartError('The demo data is not complete yet; run demo again.')
    await sleep(100)
  }
  if (made) say(`Made ${made.features} features, ${made.products} products, ${made.customers} customers.`)
}

async function remove(services: Services, say: (text: string) => void): Promise<void> {
  const { removed, kept } = await removeDemo(services, await openContext(services, principal))
  const { features, products, customers } = removed
  say(`Removed ${features} features, ${products} products, ${customers} customers.`)
  for (const { kind, key } of kept) say(`Kept the ${kind} ${key}: it is in use.`)
}
