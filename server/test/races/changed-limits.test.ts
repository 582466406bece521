// A limit that was changed, and answered, is obeyed by whatever is sent afterwards, whoever writes to the customer meanwhile.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { holdCustomer, waitForWaiters } from './held-lock.ts'
import { openRaces, type Races } from './races-fixture.ts'

let races: Races
before(async () => {
  races = await openRaces({ instances: 2 })
})
after(() => races.close())

const enforced = { amount: 1, enforceLimit: true }

/**
 * A first write waits for the customer's row and a second one behind it, both let in under the old limit; then the limit is
 * changed and answered, and an enforced one is sent. The second and the third come to be decided together.
 */
async function sendBehind(productKey: string, customerId: string, limit: number) {
  const lock = await holdCustomer(races.service, customerId)
  const first = races.record(customerId, 'first', { amount: 0 })
  await waitForWaiters(races.service, 1)
  const second = races.record(customerId, 'second', { amount: 0 })
  // Answered after the second one was let in: both ways in are waited for in their order.
  await races.entry(customerId)
  await races.limitTo(productKey, limit)
  const third = races.record(customerId, 'third', enforced)
  await races.entry(customerId)
  await lock.release()
  await Promise.all([first, second])
  return third
}

async function makeUser(limit: number, used: number) {
  const productKey = await races.makePlan(limit)
  const customerId = await races.makeCustomer(productKey)
  await races.record(customerId, 'before', { amount: used })
  return { productKey, customerId }
}

describe('a limit changed while writes of the same customer wait', () => {
  it('and lowered: an enforced write sent after the answer is refused', async () => {
    const { productKey, customerId } = await makeUser(10, 5)
    const { body } = await sendBehind(productKey, customerId, 5)
    assert.deepEqual([body.applied, body.reason, body.used], [false, 'limit_reached', 5])
  })

  it('and raised: an enforced write sent after the answer is applied', async () => {
    const { productKey, customerId } = await makeUser(5, 5)
    const { body } = await sendBehind(productKey, customerId, 10)
    assert.deepEqual([body.applied, body.used], [true, 6])
  })

  it('and access taken away: an enforced write sent after the answer is refused', async () => {
    const { productKey, customerId } = await makeUser(10, 5)
    const lock = await holdCustomer(races.service, customerId)
    const waiting = [races.record(customerId, 'first', { amount: 0 })]
    await waitForWaiters(races.service, 1)
    waiting.push(races.record(customerId, 'second', { amount: 0 }))
    await races.entry(customerId)
    const featureAccess = [{ featureKey: 'calls', hasAccess: false }]
    await races.make('PUT', `/v1/products/${productKey}/feature-access`, { featureAccess })
    const third = races.record(customerId, 'third', enforced)
    await races.entry(customerId)
    await lock.release()
    await Promise.all(waiting)
    assert.equal((await third).body.reason, 'no_access')
  })
})

const tries = 48
const callers = 48

describe(`a limit changed while ${callers} callers write to the customer`, () => {
  // On the code before, two to six of the 48 tries were not obeyed, in five runs of seven; held up on purpose, as above, all.
  it('is obeyed by what is sent after the answer, every time', async () => {
    const wrong: string[] = []
    for (const instance of [0, 1]) {
      const productKey = await races.makePlan(1_000)
      const customerId = await races.makeCustomer(productKey)
      await races.record(customerId, 'before', { amount: 500 })
      let isOver = false
      let count = 0
      // Nothing is added, so the limit alone decides. More wait than are decided at once.
      const writing = Array.from({ length: callers }, async () => {
        while (!isOver) {
          const event = () => ({ customerId, featureKey: 'calls', eventKey: `load-${++count}`, amount: 0 })
          await races.make(
            'POST',
            '/v1/usage/batch',
            { events: Array.from({ length: 20 }, event) },
            { instance },
          )
        }
      })
      for (let n = 0; n < tries / 2; n++) {
        const isLowered = n % 2 === 0
        await races.limitTo(productKey, isLowered ? 5 : 1_000, { instance })
        const { body } = await races.record(customerId, `try-${n}`, enforced, { instance })
        if (body.applied === isLowered) wrong.push(`${isLowered ? 'lowered' : 'raised'}, try ${n}`)
      }
      isOver = true
      await Promise.all(writing)
    }
    assert.deepEqual(wrong, [])
  })
})
