// Every object that the simulator answers with has all fields that the official types require, of their types, with values
// they know; and every event is one that they know.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { routes } from '../src/api/routes.ts'
import { endpoints, findEndpoint, toAnswerClaim, toRequestClaim, toUnique } from './official-claims.ts'
import { findTypeErrors } from './official-types.ts'
import { visitEveryEndpoint } from './scenario.ts'
import { type SimulatorFixture, startSimulator } from './simulator-fixture.ts'

async function record(): Promise<SimulatorFixture> {
  const fixture = await startSimulator()
  try {
    await visitEveryEndpoint(fixture)
    return fixture
  } finally {
    await fixture.close()
  }
}

describe('the official types', () => {
  it('are satisfied by every answer and every request of a scenario that visits every endpoint', async (test) => {
    const { exchanges } = await record()
    const good = exchanges.filter(({ status }) => status === 200)
    const visited = new Set(good.map(findEndpoint))
    assert.deepEqual(
      endpoints.filter((endpoint) => !visited.has(endpoint)),
      [],
    )
    const answers = toUnique(good.map(toAnswerClaim))
    const requests = toUnique(good.map(toRequestClaim))
    const objects = good.reduce((sum, { body }) => sum + ((body as { data?: [] }).data?.length ?? 1), 0)
    test.diagnostic(`${answers.length} answers with ${objects} objects, ${requests.length} requests`)
    assert.deepEqual(await findTypeErrors([...answers, ...requests]), [])
  })

  it('would find a missing field, an unknown one, a wrong type and an unknown value', async () => {
    const configuration = { enabled: true, url: null }
    const planted = [
      { name: 'missing', type: 'Stripe.DeletedCustomer', value: { id: 'cus_1', object: 'customer' } },
      {
        name: 'unknown',
        type: 'Stripe.DeletedCustomer',
        value: { id: 'cus_1', object: 'customer', deleted: true, created: 1 },
      },
      {
        name: 'wrong type',
        type: 'Stripe.BillingPortal.Configuration["login_page"]',
        value: { ...configuration, url: 1 },
      },
      { name: 'unknown value', type: 'Stripe.Subscription["status"]', value: 'running' },
      {
        name: 'unknown parameter',
        type: 'Stripe.Checkout.SessionCreateParams',
        value: { payment_method_types: { 0: 'card' } },
        isWire: true,
      },
      {
        name: 'wrong parameter',
        type: 'Stripe.Checkout.SessionCreateParams',
        value: { line_items: { 0: { price: 'price_1', quantity: 'one' } } },
        isWire: true,
      },
      { name: 'fine', type: 'Stripe.Subscription["status"]', value: 'active' },
    ]
    const errors = await findTypeErrors(planted)
    const names = new Set(errors.map((error) => error.split(':')[0]))
    assert.deepEqual(
      planted.map(({ name }) => name).filter((name) => !names.has(name)),
      ['fine'],
    )
  })

  it('are asked of every endpoint there is', () => {
    const served = routes.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(endpoints.toSorted(), served.toSorted())
  })
})
