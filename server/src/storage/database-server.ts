// One database server: its pool, the connections of the hot paths, and what is held in memory of its customers. There is one;
// several would each own a range of customer uids, with connections and coalescers of their own.
import type pg from 'pg'
import type { RateLimits } from '../domain/rate-limit.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { type Catalogues, createCatalogues } from './catalogue/catalogues.ts'
import { type Database, openDatabase } from './database.ts'
import { type Admit, createAdmission } from './keys/admission.ts'
import { createHeldStates, type HeldStates } from './ledger/held-states.ts'
import { openPipelinedConnection, type PipelinedConnection } from './pipelined-connection.ts'
import { createTurns, type Turns } from './turns.ts'

export type DatabaseServer = {
  database: Database
  catalogues: Catalogues
  states: HeldStates
  admit: Admit
  /** For changes that wait for a customer's lock. */
  customerTurns: Turns
  /** For batches of writes, each one batch at a time. */
  writing: readonly PipelinedConnection[]
  /** How many connections of the hot paths are open. */
  countOpen(): number
  close(): Promise<void>
}

const poolSize = 10
// A batch waits for a customer only as long as an ordinary write takes; whoever is locked for longer is set apart.
const batchLockMs = 100

export function openDatabaseServer(
  connection: pg.ClientConfig,
  limits: RateLimits,
  { statement, transactions, queues }: Telemetry,
): DatabaseServer {
  const database = openDatabase({ connection, poolSize, times: transactions })
  const admitting = openPipelinedConnection(database.config, statement)
  const reading = openPipelinedConnection(database.config, statement)
  const writing = [1, 2].map(() =>
    openPipelinedConnection({ ...database.config, lock_timeout: batchLockMs }, statement),
  )
  const hot = [admitting, reading, ...writing]
  const states = createHeldStates(reading, queues.load_state)
  return {
    database,
    catalogues: createCatalogues(database),
    states,
    admit: createAdmission(admitting, states, limits, queues),
    // Fewer than the pool has connections: reads and other work go on whatever customers are waited for.
    customerTurns: createTurns({ atOnce: 6, waitingAtMost: 10_000 }),
    writing,
    countOpen: () => hot.filter((each) => each.isOpen()).length,
    close: async () => {
      await Promise.all(hot.map((each) => each.close()))
      await database.close()
    },
  }
}
