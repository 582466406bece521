// Faults that tests switch on: answers that fail or never come, webhooks that are lost, doubled, late or shuffled.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from './environment.ts'

/**
 * `rate_limited` 429, `server_error` 500, `refused` 400 and `no_permission` 403 come before anything began and leave no trace. `execution_error` is a 500 of an
 * execution that began: without effect, but kept under its idempotency key and given again. The other two take effect first:
 * then `lost_answer` cuts the connection and `no_answer` leaves it silent until the caller gives up.
 */
export type RequestFault =
  | 'rate_limited'
  | 'server_error'
  | 'refused'
  | 'no_permission'
  | 'execution_error'
  | 'lost_answer'
  | 'no_answer'

/** One delivery per entry, each after that many milliseconds: `[]` loses the webhook, `[0, 0]` doubles it. */
type DeliveryPlan = number[]

/** `encoded` is the form as it was sent. */
type FaultyRequest = { environment: Environment; method: string; path: string; encoded: string }
type FaultyEvent = { environment: Environment; eventId: string; type: string }

export type SimulatorFaults = {
  /** Asked for every API request; undefined serves it normally. */
  onRequest: (request: FaultyRequest) => RequestFault | undefined
  /** Asked once for every event. */
  onEvent: (event: FaultyEvent) => DeliveryPlan
  /** Sends due webhooks in random order. */
  isShuffled: boolean
  /** How many of the next charges fail, whatever the card. */
  failingCharges: number
  /** Called for each charge that is made. */
  countCharge(): void
  /** Milliseconds before each API answer. */
  latencyMs: number
  /** Lets the next requests that match fail, one fault each. */
  failNext(faults: RequestFault[], matches?: (request: FaultyRequest) => boolean): void
  reset(): void
}

export function createFaults(): SimulatorFaults {
  const faults: SimulatorFaults = {
    onRequest: () => undefined,
    onEvent: () => [0],
    isShuffled: false,
    failingCharges: 0,
    countCharge: () => {
      faults.failingCharges = Math.max(0, faults.failingCharges - 1)
    },
    latencyMs: 0,
    failNext: (coming, matches = () => true) => {
      const left = [...coming]
      faults.onRequest = (request) => (matches(request) ? left.shift() : undefined)
    },
    reset: () => {
      faults.onRequest = () => undefined
      faults.onEvent = () => [0]
      faults.isShuffled = false
      faults.failingCharges = 0
      faults.latencyMs = 0
    },
  }
  return faults
}

export async function delayAnswer({ latencyMs }: SimulatorFaults): Promise<void> {
  if (latencyMs > 0) await sleep(latencyMs)
}
