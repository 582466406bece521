// What the buttons of the front page do: turn the clock, fail a charge, send an event again.
import { findObject } from '../context.ts'
import type { FormBody } from '../pages/page.ts'
import type { Simulator } from '../simulator.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { computeBoundary } from '../subscriptions/billing-cycle.ts'

type Actor = { simulator: Simulator; store: MemoryStore }

/** A notice for the page, by its name: the page is reached by a redirect. */
export const notices = {
  advanced: 'Time went on.',
  real: 'The clock runs again.',
  charge: 'The next charge will fail.',
  resent: 'The event is sent again.',
  unknown: 'There is no such thing.',
}
type Notice = keyof typeof notices

const steps = ['day', 'week', 'month', 'year'] as const

async function advance({ simulator, store }: Actor, form: FormBody): Promise<Notice> {
  const interval = steps.find((step) => step === form.step)
  if (interval === undefined) return 'unknown'
  const now = Math.floor((await store.readClock('test')) / 1000)
  store.setClock('test', computeBoundary(now, { interval, interval_count: 1 }, 1) * 1000)
  await simulator.advance('test')
  return 'advanced'
}

async function resend({ simulator }: Actor, form: FormBody): Promise<Notice> {
  return simulator.access.write('test', async (context) => {
    const event = await findObject(context, 'event', form.event ?? '')
    if (event === undefined) return 'unknown'
    await context.store.enqueueDeliveries(event.id, [Date.now()])
    return 'resent'
  })
}

export async function runAction(actor: Actor, name: string, form: FormBody): Promise<Notice> {
  if (name === 'advance') return advance(actor, form)
  if (name === 'resend') return resend(actor, form)
  if (name === 'real-time') {
    actor.store.setClock('test', null)
    return 'real'
  }
  if (name !== 'fail-charge') return 'unknown'
  actor.simulator.faults.failingCharges += 1
  return 'charge'
}
