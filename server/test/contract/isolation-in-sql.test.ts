// Two environments with the same keys, customers and ids at the provider: whatever is done in one touches no row of the other.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import type { Answer } from '../service.ts'
import { openTwins, type Twins } from './twins-fixture.ts'
import { operations } from './validator.ts'

let twins: Twins
before(async () => {
  twins = await openTwins()
})
after(() => twins?.close())

/** Fails with the rows of the live environment that changed. */
async function leavesAlone(act: () => Promise<void>): Promise<void> {
  const before = new Set(await twins.dumpLive())
  await act()
  await twins.settle()
  const now = new Set(await twins.dumpLive())
  assert.deepEqual(
    { gone: [...before.difference(now)], come: [...now.difference(before)] },
    { gone: [], come: [] },
  )
}

type Step = [title: string, path: string, body?: object, check?: (answer: Answer) => void]

const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit: 50 }]
const acme = { customerId: 'acme', featureKey: 'calls' }
const listEvents = async () => (await twins.ask('GET', '/v1/usage?customerId=acme')).body.events
const listBonuses = async () => (await twins.ask('GET', '/v1/bonuses?customerId=beta')).body.bonuses
const isOne = ({ body }: Answer) => assert.equal(body.migrated, 1)

// An operation as the reference has it, what stands in its path's braces or behind it, and the body; `~` is an id from a list.
const steps: Step[] = [
  ['GET /v1/features', ''],
  ['GET /v1/features/{featureKey}', 'calls'],
  ['GET /v1/products', '?type=provider'],
  ['GET /v1/products/{productKey}', 'pro'],
  ['GET /v1/products/{productKey}/versions', 'pro'],
  ['GET /v1/customers', '?search=a'],
  ['GET /v1/customers', '?productKey=pro'],
  ['GET /v1/customers/{customerId}', 'acme'],
  ['GET /v1/feature-access', '?customerId=acme'],
  ['GET /v1/feature-access/explain', '?customerId=acme&featureKey=calls'],
  ['GET /v1/usage/summary', '?customerId=acme&featureKey=calls&interval=day'],
  ['GET /v1/check', '?customerId=acme&featureKey=calls'],
  ['GET /v1/usage', '?customerId=acme'],
  ['GET /v1/usage/{id}', '~event'],
  ['GET /v1/bonuses', '?customerId=acme'],
  ['GET /v1/bonuses/{bonusId}', '~bonus'],
  ['GET /v1/test-clock', ''],
  ['POST /v1/features', '', { featureKey: 'fresh', name: 'Fresh', type: 'boolean' }],
  ['PUT /v1/features/{featureKey}', 'calls', { name: 'Renamed', usageResetInterval: 'week' }],
  ['POST /v1/features/{featureKey}/archive', 'calls', { archived: true }],
  ['POST /v1/features/{featureKey}/archive', 'calls', { archived: false }],
  ['POST /v1/custom-products', '', { productKey: 'fresh', name: 'Fresh', isDefault: true, featureAccess }],
  ['POST /v1/custom-products', '', { productKey: 'unheld', name: 'Unheld', featureAccess }],
  ['DELETE /v1/products/{productKey}', 'unheld'],
  ['PUT /v1/products/{productKey}', 'plan', { name: 'Renamed', metadata: { a: 'b' } }],
  ['PUT /v1/products/{productKey}', 'free', { isDefault: true }],
  ['PUT /v1/products/{productKey}/feature-access', 'pro', { featureAccess }],
  ['PUT /v1/products/{productKey}/feature-access', 'plan', { featureAccess }],
  ['POST /v1/products/{productKey}/migrate', 'pro', { dryRun: true }, isOne],
  ['POST /v1/products/{productKey}/migrate', 'pro', { customerIds: ['acme'], dryRun: true }, isOne],
  ['POST /v1/products/{productKey}/migrate', 'pro', {}, isOne],
  ['POST /v1/products/{productKey}/migrate', 'plan', {}, isOne],
  ['POST /v1/products/{productKey}/versions', 'pro', {}],
  ['POST /v1/products/sync', ''],
  ['POST /v1/usage', '', { ...acme, eventKey: 'more' }],
  ['POST /v1/usage', '', { ...acme, eventKey: 'e', amount: 120 }],
  ['POST /v1/usage/batch', '', { events: [{ ...acme, eventKey: 'batched' }] }],
  ['POST /v1/usage/set', '', { ...acme, eventKey: 'set', used: 130 }],
  ['PUT /v1/usage/{id}', '~event', { amount: 3, eventKey: 'other' }],
  ['DELETE /v1/usage/{id}', '~event'],
  ['POST /v1/bonuses', '', { ...acme, amount: 5 }],
  ['PUT /v1/bonuses/{bonusId}', '~bonus', { amount: 40 }],
  ['DELETE /v1/bonuses/{bonusId}', '~bonus'],
  ['POST /v1/customers', '', { customerId: 'fresh', name: 'Fresh', customProductKeys: ['plan'] }],
  ['POST /v1/customers/batch', '', { customers: [{ customerId: 'many' }] }],
  ['GET /v1/provider-customers', ''],
  ['PUT /v1/customers/{customerId}', 'acme', { name: 'Renamed', removeCustomProductKeys: ['plan'] }],
  ['POST /v1/customers/{customerId}/checkout', 'beta', { productKey: 'pro', metadata: { another: 'one' } }],
  ['POST /v1/customers/{customerId}/customer_portal', 'acme', {}],
  ['PUT /v1/test-clock', '', { now: Date.UTC(2027, 0, 1) }],
  ['PUT /v1/test-clock', '', { now: null }],
]

const ends: Step[] = [
  ['DELETE /v1/features/{featureKey}', 'spare'],
  ['POST /v1/products/{productKey}/archive', 'pro', { archived: true }],
  ['DELETE /v1/customers/{customerId}', 'acme'],
  ['DELETE /v1/customers/{customerId}', 'beta'],
]

// Linking needs a product that is not linked yet, and is a step of its own below.
const apart = ['POST /v1/products']

async function fill(title: string, part: string): Promise<string> {
  const ids: Record<string, () => Promise<string>> = {
    '~event': async () => (await listEvents())[0].id,
    '~bonus': async () => (await listBonuses())[0].bonusId,
  }
  const value = ids[part] ? await ids[part]() : part
  const template = title.split(' ')[1] as string
  return template.includes('{') ? template.replace(/\{\w+\}/, value) : template + value
}

function runStep([title, part, body, check]: Step): void {
  it(`${title} ${part} ${body ? JSON.stringify(body) : ''}`, async () => {
    let answer: Answer | undefined
    await leavesAlone(async () => {
      answer = await twins.ask(title.split(' ')[0] as string, await fill(title, part), body)
      assert.ok(answer.status < 300, answer.text)
    })
    check?.(answer as Answer)
  })
}

describe('an operation in one environment touches no row of the other:', () => {
  it('every operation is among those below', () => {
    const run = new Set([...steps, ...ends].map(([title]) => title).concat(apart))
    const missing = operations.map(({ method, template }) => `${method} ${template}`)
    assert.deepEqual(
      missing.filter((title) => !run.has(title)),
      [],
    )
  })

  for (const step of steps) runStep(step)

  it('POST /v1/products', () =>
    leavesAlone(async () => {
      const { id } = await twins.stripe.products.create({ name: 'Another' })
      const body = { productKey: 'another', providerProductId: id }
      assert.equal((await twins.ask('POST', '/v1/products', body)).status, 201)
    }))
})

describe('what the provider tells one environment touches no row of the other:', () => {
  const read = async (customerId: string) => (await twins.ask('GET', `/v1/customers/${customerId}`)).body

  it('webhooks of a changed subscription, customer and price', () =>
    leavesAlone(async () => {
      const { stripe, ids } = twins
      await stripe.subscriptions.update(ids.subscription as string, { cancel_at_period_end: true })
      await stripe.customers.update(ids.acme as string, { name: 'Told by the provider' })
      await stripe.products.update('prod_twin', { name: 'Pro, renamed' })
      await twins.settle()
      const { products } = await read('acme')
      assert.ok(products.some((product: { canceledAt?: number }) => product.canceledAt))
    }))

  it('the way back from a checkout', () =>
    leavesAlone(async () => {
      const [row] = await twins.service.query(
        `select k.checkout_key from checkout k join customer c using (customer_uid)
         where c.environment = 'test' and c.customer_id = 'beta' limit 1`,
      )
      const url = `${twins.service.urls[0]}/checkout/return/${row?.checkout_key}`
      assert.ok((await fetch(url, { redirect: 'manual' })).status < 400)
    }))

  it('a reconciliation of what was never delivered', () =>
    leavesAlone(async () => {
      const { service, stripe, ids } = twins
      const faults = service.instances[0]?.simulator.faults
      assert.ok(faults)
      faults.onEvent = () => []
      await stripe.subscriptions.update(ids.subscription as string, { cancel_at_period_end: false })
      faults.reset()
      // An instance compares as it starts.
      const variables = { PORT: '0', LOG_LEVEL: 'silent', TOLLKEEPER_DEMO: '0', RATE_LIMIT_ALL: '0' }
      const another = await startService(readConfig(variables), service.database.connection)
      try {
        await waitUntil(async () => {
          const { products } = await read('acme')
          return products.every((product: { canceledAt?: number }) => !product.canceledAt)
        })
      } finally {
        await another.close()
      }
    }))

  it('a subscription that ended, a customer and a product that are gone there', () =>
    leavesAlone(async () => {
      const { stripe, ids } = twins
      await stripe.subscriptions.cancel(ids.subscription as string)
      await stripe.customers.del(ids.beta as string)
      await stripe.products.update('prod_twin', { active: false })
      await twins.settle()
      await waitUntil(async () => (await read('beta')).providerCustomerId !== ids.beta)
    }))
})

describe('the end of things in one environment touches no row of the other:', () => {
  for (const step of ends) runStep(step)

  it('the purge of a deleted feature and of deleted customers', () =>
    leavesAlone(async () => {
      const { service } = twins
      const variables = { PORT: '0', LOG_LEVEL: 'silent', TOLLKEEPER_DEMO: '0', RATE_LIMIT_ALL: '0' }
      // An instance clears away as it starts.
      const another = await startService(readConfig(variables), service.database.connection)
      try {
        await waitUntil(async () => (await service.query('select from feature_purge')).length === 0)
      } finally {
        await another.close()
      }
    }))
})

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  const deadlineAt = performance.now() + 10_000
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadlineAt, 'not within ten seconds')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
