// The keys of a simulated environment, in the form Stripe's have.
import { createHmac, randomBytes } from 'node:crypto'
import type { Environment } from '../../domain/environment.ts'

export type SimulatedKeys = { secretKey: string; webhookSecret: string }

/** Derived from the installation's secret, so that instances that share it agree; without one, known to this process only. */
export function makeSimulatedKeys(environment: Environment, secret: string | undefined): SimulatedKeys {
  const derive = (purpose: string) =>
    secret === undefined
      ? randomBytes(24).toString('hex')
      : createHmac('sha256', secret).update(`simulator ${environment} ${purpose}`).digest('hex').slice(0, 48)
  return {
    secretKey: `sk_${environment}_${derive('secret key')}`,
    webhookSecret: `whsec_${derive('webhook secret')}`,
  }
}
