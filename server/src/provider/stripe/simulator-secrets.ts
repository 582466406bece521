// The keys of the simulator's environments, in the form Stripe's have.
import { randomBytes } from 'node:crypto'
import type { Environment } from '../../domain/environment.ts'

type Secrets = { secretKey: string; webhookSecret: string }

/** Known to this process only: its adapter and its simulator are the two that need them. */
export function makeSimulatorSecrets(): Record<Environment, Secrets> {
  const make = (environment: Environment): Secrets => ({
    secretKey: `sk_${environment}_${randomBytes(24).toString('hex')}`,
    webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
  })
  return { test: make('test'), live: make('live') }
}
