// PUT /v1/test-clock answers when all that the new time brings is in force, and says so when it is not.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { at, free, openSubscriptions, start } from './subscription-fixture.ts'

const { shop, setClock, held, become, subscribe } = await openSubscriptions()
after(() => shop.close())
beforeEach(() => setClock(start))

const renewedAt = at('2027-02-28T12:00:00Z')

describe('200', () => {
  it('shows renewals and ends to whoever reads right after it', async () => {
    const going = await subscribe()
    const ending = await subscribe()
    await shop.stripe.subscriptions.update(ending.subscriptionId, { cancel_at_period_end: true })
    await become(going.customerId, [['pro', 'active']])
    await become(ending.customerId, [['pro', 'active', start]], 'canceledAt')
    const { body } = await shop.put('/v1/test-clock', { now: renewedAt })
    assert.deepEqual(body, { now: renewedAt, frozen: true })
    assert.deepEqual(await held(going.customerId, 'currentPeriodStart'), [['pro', 'active', renewedAt]])
    assert.deepEqual(await held(ending.customerId), [free])
    assert.deepEqual((await shop.get('/v1/test-clock')).body, { now: renewedAt, frozen: true })
  })

  it('tells that it is pending after 8 s at most, with the clock set, until what is missing is in force', async () => {
    const { customerId } = await subscribe()
    await become(customerId, [['pro', 'active']])
    const laterMs = 12_000
    const webhooks = await holdWebhooks()
    const startedAt = Date.now()
    const { status, body } = await shop.put('/v1/test-clock', { now: renewedAt })
    assert.ok(Date.now() - startedAt < 9_000)
    assert.deepEqual([status, body], [200, { now: renewedAt, frozen: true, pending: true }])
    assert.equal((await shop.get('/v1/test-clock')).body.pending, true)
    await webhooks.release()
    await become(customerId, [['pro', 'active', renewedAt]], 'currentPeriodStart')
    for (const deadlineAt = Date.now() + laterMs; ; ) {
      if (!('pending' in (await shop.get('/v1/test-clock')).body)) break
      assert.ok(Date.now() < deadlineAt, 'still pending')
    }
  })
})

/** Webhooks wait in the outbox until they are released. */
async function holdWebhooks() {
  await shop.query(`create function hold_delivery() returns trigger language plpgsql as $$
    begin new.next_attempt_at := new.next_attempt_at + 3600000; new.attempts := 2; return new; end $$`)
  await shop.query(
    'create trigger hold_delivery before insert on simulator_delivery for each row execute function hold_delivery()',
  )
  return {
    async release() {
      await shop.query('drop trigger hold_delivery on simulator_delivery')
      await shop.query('update simulator_delivery set next_attempt_at = 0')
    },
  }
}
