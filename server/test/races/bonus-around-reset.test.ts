// A write that was let in before a reset and comes to its turn after it: whatever it returns or draws, no bonus is lost.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../service.ts'
import { holdCustomer, waitForWaiters } from './held-lock.ts'
import { hourMs, noon, openRaces, type Races } from './races-fixture.ts'

let races: Races
before(async () => {
  races = await openRaces({ instances: 2 })
})
after(() => races.close())

/** 15 of 10 used in the hour from noon, the five above drawn from a bonus that is thereby spent; another one is untouched. */
async function makeSpender() {
  await races.setClock(noon + hourMs / 2)
  const customerId = await races.makeCustomer()
  const given = await races.make('POST', '/v1/bonuses', { customerId, featureKey: 'calls', amount: 5 })
  await races.make('POST', '/v1/bonuses', { customerId, featureKey: 'calls', amount: 4 })
  const { eventId } = (await races.record(customerId, 'first', { amount: 15 })).body
  assert.equal((await races.entry(customerId)).usage.bonusUsed, 5)
  return { customerId, eventId: eventId as string, bonusId: given.body.bonus.bonusId as string }
}

/**
 * The write waits for the customer's row behind another instance's and a stranger. Between the two, with the write already let in, the
 * hour ends and the customer is read: what is held of it then knows nothing of the hour before.
 */
async function waitOverReset(customerId: string, write: () => Promise<Answer>): Promise<Answer> {
  const { service } = races
  const first = await holdCustomer(service, customerId)
  // Full hours all the same: nothing changes but the revision.
  const moving = races.request(
    'PUT',
    `/v1/customers/${customerId}`,
    { usageStartedAt: noon - hourMs },
    { instance: 1 },
  )
  await waitForWaiters(service, 1)
  const holding = holdCustomer(service, customerId)
  await waitForWaiters(service, 2)
  const writing = write()
  await waitForWaiters(service, 3)
  await first.release()
  const second = await holding
  try {
    assert.equal((await moving).status, 200)
    await races.setClock(noon + hourMs + 60_000)
    assert.equal((await races.entry(customerId)).usage.used, 0)
  } finally {
    await second.release()
  }
  return writing
}

type Spender = Awaited<ReturnType<typeof makeSpender>>

const writes: Record<string, (spender: Spender) => Promise<Answer>> = {
  'an event amended to less': ({ eventId }) => races.request('PUT', `/v1/usage/${eventId}`, { amount: 5 }),
  'an event deleted': ({ eventId }) => races.request('DELETE', `/v1/usage/${eventId}`),
  'a negative amount': ({ customerId }) => races.record(customerId, 'back', { amount: -10 }),
  'a usage set': ({ customerId }) =>
    races.request('POST', '/v1/usage/set', { customerId, featureKey: 'calls', eventKey: 'set', used: 2 }),
  'a bonus made larger': ({ bonusId }) => races.request('PUT', `/v1/bonuses/${bonusId}`, { amount: 8 }),
  'a second bonus': ({ customerId }) =>
    races.request('POST', '/v1/bonuses', { customerId, featureKey: 'calls', amount: 3 }),
}

describe('a write that waits over a reset leaves every bonus whole:', () => {
  for (const [name, write] of Object.entries(writes)) {
    it(name, async () => {
      const spender = await makeSpender()
      const answer = await waitOverReset(spender.customerId, () => write(spender))
      // Taking back what the new hour never used is refused, and rightly so.
      assert.ok([200, 201].includes(answer.status), answer.text)
      assert.deepEqual(await races.audit(spender.customerId), [])
      const { bonusRemaining } = (await races.entry(spender.customerId)).usage
      const { body } = await races.request('GET', `/v1/bonuses?customerId=${spender.customerId}`)
      const open = body.bonuses.map((bonus: { remainingAmount: number }) => bonus.remainingAmount)
      assert.equal(
        bonusRemaining,
        open.reduce((sum: number, each: number) => sum + each, 0),
      )
    })
  }
})
