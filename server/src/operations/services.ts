// What operations work with: the database, what is held in memory of it, and the payment provider of each environment.
import type { Environment } from '../domain/environment.ts'
import type { RateLimits } from '../domain/rate-limit.ts'
import type { AccountOwner, Provider } from '../provider/provider.ts'
import type { Catalogues } from '../storage/catalogue/catalogues.ts'
import type { Database } from '../storage/database.ts'
import type { Admit } from '../storage/keys/admission.ts'
import type { HeldStates } from '../storage/ledger/held-states.ts'
import type { Turns } from '../storage/turns.ts'
import type { LedgerWriter } from './ledger/write-ledger.ts'
import type { RequestLog } from './requests/request-log.ts'
import type { Tally } from './statistics/tally.ts'

export type Installation = {
  version: string
  /** Of every key. */
  limits: RateLimits
  /** `simulatorUrl` is where the simulated provider speaks its protocol. */
  providers: Record<Environment, { provider: 'simulator' | 'account' | 'none'; simulatorUrl: string | null }>
}

export type Services = {
  database: Database
  admit: Admit
  catalogues: Catalogues
  states: HeldStates
  /** For changes that wait for a customer's lock. */
  customerTurns: Turns
  writeLedger: LedgerWriter
  /** Counts what nobody waits for. */
  tally: Tally
  /** Undefined where none is configured. */
  providers: Record<Environment, Provider | undefined>
  /** Whoever acts for the account's owner, where the provider is simulated. */
  accountOwners: Record<Environment, AccountOwner | undefined>
  /** What is the same for as long as this instance runs. */
  installation: Installation
  /** Where customers reach this service, without a slash at its end. */
  publicUrl(): string
  /** Requests as they are answered, for whoever watches. */
  requestLog: RequestLog
  /** Says that there is work for what runs by itself. */
  wakeWorker(): void
  /** Lets the simulated provider follow a clock that was moved. */
  clockMoved(environment: Environment): Promise<void>
}
