// tollkeeper audit

import { StartError } from '@tollkeeper/embedded-postgres/start-error'
import type { Config } from '../config.ts'
import { auditLedger, type Difference } from '../storage/audit/audit-ledger.ts'
import { openDatabase } from '../storage/database.ts'
import { isMigrated } from '../storage/migrate.ts'
import { joinStorage, type Storage } from './open-storage.ts'
import { readWords } from './words.ts'

/** Exit code 1 when anything stored differs from what it is made of. */
export async function auditCommand(config: Config, words: string[]): Promise<void> {
  const { json } = readWords(words, { json: { type: 'boolean', default: false } }).values
  const storage = await joinStorage(config)
  try {
    await checkSchema(storage)
    let differences = 0
    const { customers, events, counters, bonuses } = await auditLedger(storage.connection, (difference) => {
      differences++
      process.stdout.write(`${json ? JSON.stringify(difference) : describe(difference)}\n`)
    })
    const looked = `${customers} customers, ${events} events, ${counters} counters, ${bonuses} bonuses`
    const summary = json
      ? JSON.stringify({ customers, events, counters, bonuses, differences })
      : `Audited ${looked}: ${differences === 0 ? 'no' : differences} differences.`
    process.stdout.write(`${summary}\n`)
    if (differences > 0) process.exitCode = 1
  } finally {
    await storage.stop()
  }
}

const describe = ({ check, at, stored, expected }: Difference): string =>
  `${check}: ${at}: stored ${stored}, expected ${expected}`

/** An audit changes nothing, so it does not migrate either. */
async function checkSchema({ connection }: Storage): Promise<void> {
  const database = openDatabase({ connection, poolSize: 1 })
  const isCurrent = await isMigrated(database.pool)
    // 42P01: not even the table of migrations is there.
    .catch((error: { code?: string }) => {
      if (error.code === '42P01') return false
      throw error
    })
    .finally(() => database.close())
  if (!isCurrent)
    throw new StartError('The database does not have the schema of this version: start the service first.')
}
