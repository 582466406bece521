// Sends the webhooks the simulator owes: signed, retried with growing pauses, at least once.
import { createHmac } from 'node:crypto'
import type { Environment } from '../environment.ts'
import type { SimulatorFaults } from '../faults.ts'
import type { Delivery, Store } from '../store/store.ts'

const sendTimeoutMs = 5_000
const leaseMs = 15_000
const batchSize = 20
const parallelSends = 5
const maxAttempts = 25

type DeliveryOptions = {
  store: Store
  webhookTarget: (environment: Environment) => string | undefined
  webhookSecret: (environment: Environment) => string
  faults: SimulatorFaults
}

/** The header that proves where a webhook comes from. */
export function signWebhook(body: string, secret: string, nowMs: number): string {
  const signedAt = Math.floor(nowMs / 1000)
  const signature = createHmac('sha256', secret).update(`${signedAt}.${body}`).digest('hex')
  return `t=${signedAt},v1=${signature}`
}

/** 1 s, 2 s, 4 s … 60 s: a receiver that restarts is soon served, one that stays away is not hammered. */
export function computeRetryMs(attempts: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(attempts - 1, 10))
}

async function isAccepted(options: DeliveryOptions, delivery: Delivery, body: string): Promise<boolean> {
  const target = options.webhookTarget(delivery.environment)
  if (target === undefined) return true
  try {
    const response = await fetch(target, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signWebhook(body, options.webhookSecret(delivery.environment), Date.now()),
      },
      body,
      signal: AbortSignal.timeout(sendTimeoutMs),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

async function deliver(options: DeliveryOptions, delivery: Delivery): Promise<void> {
  const { store } = options
  const { environment, deliveryId, eventId, attempts } = delivery
  const [event] = await store.read(environment, (session) => session.findObjects([eventId]))
  const isDone = event === undefined || (await isAccepted(options, delivery, JSON.stringify(event)))
  if (isDone || attempts >= maxAttempts) await store.deleteDelivery(deliveryId)
  else await store.postponeDelivery(deliveryId, Date.now() + computeRetryMs(attempts))
}

function shuffle<T>(list: T[]): T[] {
  return list
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}

/** Sends everything that is due now, and says how many were tried. */
export async function deliverDue(options: DeliveryOptions): Promise<number> {
  let tried = 0
  while (true) {
    const nowMs = Date.now()
    const claimed = await options.store.claimDeliveries(nowMs, nowMs + leaseMs, batchSize)
    if (claimed.length === 0) return tried
    tried += claimed.length
    const queue = options.faults.isShuffled ? shuffle(claimed) : claimed
    const sendQueued = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await deliver(options, next)
    }
    await Promise.all(Array.from({ length: parallelSends }, sendQueued))
  }
}
