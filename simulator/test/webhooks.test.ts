// Webhooks from the simulator to a receiver: signed, retried, and with the faults that tests can ask for.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { computeRetryMs } from '../src/events/delivery.ts'
import { type SimulatorFixture, secrets, startSimulator } from './simulator-fixture.ts'

let running: SimulatorFixture
before(async () => {
  running = await startSimulator()
})
after(() => running.close())
afterEach(async () => {
  running.simulator.faults.reset()
  running.receiver.status = 200
  await running.simulator.deliverDue()
  running.received.length = 0
})

describe('a webhook', () => {
  it('of the live environment goes to its own address with its own signature', async () => {
    await running.stripe.live.products.create({ name: 'Pro' })
    await running.simulator.deliverDue()
    const webhook = running.received.find(({ environment }) => environment === 'live')
    assert(webhook)
    const { webhooks } = running.stripe.live
    const read = webhooks.constructEvent(webhook.body, webhook.signature, secrets.live.webhookSecret)
    assert.equal(read.livemode, true)
    assert.throws(() => webhooks.constructEvent(webhook.body, webhook.signature, secrets.test.webhookSecret))
  })

  it('is sent again, with growing pauses, until it is accepted', async () => {
    running.receiver.status = 500
    await running.stripe.test.customers.create({})
    assert.equal(await running.simulator.deliverDue(), 1)
    assert.equal(running.received.length, 0)
    assert.equal(await running.simulator.deliverDue(), 0)
    running.receiver.status = 200
    await sleep(computeRetryMs(1) + 20)
    assert.equal(await running.simulator.deliverDue(), 1)
    assert.equal(running.received.length, 1)
    assert.deepEqual(await running.store.claimDeliveries(Date.now() + 3_600_000, 0, 10), [])
    assert.deepEqual([1, 2, 3, 9, 30].map(computeRetryMs), [1_000, 2_000, 4_000, 60_000, 60_000])
  })

  it('is delivered by two processes once', async () => {
    for (let n = 0; n < 30; n++) await running.stripe.test.customers.create({})
    await Promise.all([running.simulator.deliverDue(), running.simulator.deliverDue()])
    const ids = running.received.map(({ event }) => event.id)
    assert.equal(ids.length, 30)
    assert.equal(new Set(ids).size, 30)
  })
})

describe('a fault', () => {
  it('loses, doubles and delays webhooks', async () => {
    const { faults } = running.simulator
    faults.onEvent = () => []
    await receiveNothing()
    faults.onEvent = () => [0, 0]
    await running.stripe.test.customers.create({})
    await running.simulator.deliverDue()
    assert.equal(running.received.length, 2)
    assert.equal(running.received[0]?.event.id, running.received[1]?.event.id)
    running.received.length = 0
    faults.onEvent = () => [200]
    await receiveNothing()
    await sleep(220)
    await running.simulator.deliverDue()
    assert.equal(running.received.length, 1)
  })

  it('shuffles webhooks', async () => {
    running.simulator.faults.isShuffled = true
    const made: string[] = []
    for (let n = 0; n < 20; n++) made.push((await running.stripe.test.customers.create({})).id)
    await running.simulator.deliverDue()
    const arrived = running.received.map(({ event }) => event.data.object.id)
    assert.notDeepEqual(arrived, made)
    assert.deepEqual(arrived.toSorted(), made.toSorted())
  })
})

async function receiveNothing() {
  await running.stripe.test.customers.create({})
  await running.simulator.deliverDue()
  assert.equal(running.received.length, 0)
}

describe('the loop', () => {
  it('delivers soon after the event, by itself', async () => {
    running.simulator.start()
    await running.stripe.test.customers.create({})
    const deadlineAt = Date.now() + 3_000
    while (running.received.length === 0 && Date.now() < deadlineAt) await sleep(10)
    await running.simulator.close()
    assert.equal(running.received.length, 1)
  })
})
