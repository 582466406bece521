// The fake beside the real service: the same calls, and answer for answer the same.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type Tollkeeper, TollkeeperError } from '../src/sdk.ts'
import { createFakeService } from '../src/testing.ts'
import { collect, startServiceFixture } from './service-fixture.ts'

let service: Awaited<ReturnType<typeof startServiceFixture>>
before(async () => {
  service = await startServiceFixture()
})
after(() => service.close())

const start = Date.UTC(2026, 0, 31, 15, 30)
const dayMs = 86_400_000

/** Ids are each service's own; providers are a matter of their own. What is left must be equal. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (value === null || typeof value !== 'object') return value
  const own = ['id', 'eventId', 'bonusId', 'providerCustomerId', 'prices']
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !own.includes(name))
      .map(([name, each]) => [name, withoutIds(each)]),
  )
}

type Log = { step: string; answer: unknown }[]

/** Runs a scenario, writing down each answer or the status and code of each failure. */
async function run(tk: Tollkeeper, scenario: (step: Step, tk: Tollkeeper) => Promise<void>): Promise<Log> {
  const log: Log = []
  const step: Step = async (name, work) => {
    try {
      const answer = await work()
      log.push({ step: name, answer: withoutIds(answer) })
      return answer
    } catch (error) {
      if (!(error instanceof TollkeeperError)) throw error
      log.push({ step: name, answer: { status: error.status, code: error.code, message: error.message } })
      return undefined
    }
  }
  await scenario(step, tk)
  return log
}

type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result | undefined>

async function stock(step: Step, tk: Tollkeeper): Promise<void> {
  await step('freeze', () => tk.testClock.set(start))
  await step('calls', () => tk.features.create({ featureKey: 'calls', name: 'Calls', type: 'limit' }))
  await step('sso', () => tk.features.create({ featureKey: 'sso', name: 'SSO', type: 'boolean' }))
  const seats = { featureKey: 'seats', name: 'Seats', type: 'limit', usageResetInterval: 'never' } as const
  await step('seats', () => tk.features.create(seats))
  await step('taken', () => tk.features.create({ ...seats, name: 'Again' }))
  const wrong = { featureKey: 'x', name: 'X', type: 'boolean', tracksUsage: true } as const
  await step('wrong', () => tk.features.create(wrong))
  const free = [
    { featureKey: 'calls', hasAccess: true, limit: 10 },
    { featureKey: 'seats', hasAccess: true, isUnlimited: true as const },
  ]
  const product = { productKey: 'free', name: 'Free', isDefault: true, featureAccess: free }
  await step('free', () => tk.products.createCustom(product))
  const bad = [{ featureKey: 'sso', hasAccess: true, limit: 1 }]
  await step('bad', () => tk.products.createCustom({ productKey: 'bad', name: 'Bad', featureAccess: bad }))
  const team = [
    { featureKey: 'calls', hasAccess: true, limit: 0.5 },
    { featureKey: 'sso', hasAccess: true },
  ]
  await step('team', () =>
    tk.products.createCustom({ productKey: 'team', name: 'Team', featureAccess: team }),
  )
}

async function useUp(step: Step, tk: Tollkeeper): Promise<void> {
  const show = (name: string) => step(name, () => tk.customers.get('acme'))
  await step('create', () => tk.customers.create({ customerId: 'acme', name: 'Acme', email: 'a@acme.test' }))
  await step('create again', () => tk.customers.create({ customerId: 'acme' }))
  const batch = [{ customerId: 'acme' }, { customerId: 'b', customProductKeys: ['x'] }, { customerId: 'c' }]
  await step('batch', () => tk.customers.createBatch(batch))
  await step('nobody', () => tk.access('nobody'))
  await step('track', () => tk.track('acme', 'calls', 0.1, { eventKey: 'a' }))
  await step('track', () => tk.track('acme', 'calls', 0.2, { eventKey: 'b', metadata: { job: '1' } }))
  await step('repeat', () => tk.track('acme', 'calls', 0.2, { eventKey: 'b' }))
  await step('reuse', () => tk.track('acme', 'calls', 3, { eventKey: 'b' }))
  await step('check', () => tk.check('acme', 'calls', { amount: 9.8 }))
  await step('consume too much', () => tk.consume('acme', 'calls', 9.8))
  await step('consume', () => tk.consume('acme', 'calls', 9.7, { eventKey: 'fits' }))
  await step('over', () => tk.track('acme', 'calls', 5, { eventKey: 'over' }))
  await step('below zero', () => tk.track('acme', 'calls', -50))
  await step('boolean', () => tk.track('acme', 'sso', 1))
  await step('unknown', () => tk.track('acme', 'nothing', 1))
  await step('far ahead', () => tk.track('acme', 'calls', 1, { occurredAt: start + dayMs }))
  await step('unlimited', () => tk.consume('acme', 'seats', 1000))
  await step('check boolean', () => tk.check('acme', 'sso'))
  await show('used up')
}

async function giveAndTake(step: Step, tk: Tollkeeper): Promise<void> {
  const show = (name: string) => step(name, () => tk.customers.get('acme'))
  const bonus = { customerId: 'acme', featureKey: 'calls', amount: 8, reason: 'sorry' }
  const given = await step('bonus', () => tk.bonuses.create(bonus, { idempotencyKey: 'k' }))
  await step('bonus again', () => tk.bonuses.create(bonus, { idempotencyKey: 'k' }))
  await step('key reused', () => tk.bonuses.create({ ...bonus, amount: 9 }, { idempotencyKey: 'k' }))
  await step('past', () => tk.bonuses.create({ ...bonus, expiresAt: start }))
  await step('expiring', () => tk.bonuses.create({ ...bonus, amount: 2, expiresAt: start + dayMs }))
  await show('covered')
  const bonusId = given?.bonus.bonusId ?? assert.fail()
  await step('drawn', () => tk.bonuses.delete(bonusId))
  await step('too small', () => tk.bonuses.update(bonusId, { amount: 1 }))
  await step('set', () => tk.usage.set({ customerId: 'acme', featureKey: 'calls', used: 12, eventKey: 's' }))
  await step('set again', () =>
    tk.usage.set({ customerId: 'acme', featureKey: 'calls', used: 12, eventKey: 's' }),
  )
  await step('bonuses', () => collect(tk.bonuses.list({ customerId: 'acme' })))
  await step('a day later', () => tk.testClock.set(start + 2 * dayMs))
  await show('expired')
  const events = await step('events', () =>
    collect(tk.usage.list({ customerId: 'acme', featureKey: 'calls' })),
  )
  const found = events?.find(({ eventKey }) => eventKey === 'b') ?? assert.fail()
  await step('amend', () => tk.usage.amend(found.id, { amount: 1.2, eventKey: 'c' }))
  await step('the new key is taken', () => tk.track('acme', 'calls', 7, { eventKey: 'c' }))
  await step('delete', () => tk.usage.delete(found.id))
  await step('gone', () => tk.usage.get('nowhere').catch(() => 'not there'))
  await show('amended')
}

async function changePlans(step: Step, tk: Tollkeeper): Promise<void> {
  const show = (name: string) => step(name, () => tk.customers.get('acme'))
  await step('team', () => tk.customers.update('acme', { addCustomProductKeys: ['team'] }))
  await step('as it is', () => tk.customers.ensure({ customerId: 'acme', name: 'No' }))
  await step('updated', () =>
    tk.customers.ensure({ customerId: 'acme', metadata: { a: '1' }, ifExists: 'update' }),
  )
  await step('held once', () => tk.products.delete('team'))
  await step('holders', () => collect(tk.customers.list({ productKey: 'team' })))
  const days = { customerId: 'acme', featureKey: 'calls', interval: 'day', from: start } as const
  await step('summary', () => tk.usage.summary(days))
  await step('no product', () => tk.customers.update('acme', { addCustomProductKeys: ['none'] }))
  await step('team version', () => tk.products.createVersion('team'))
  const next = [{ featureKey: 'calls', hasAccess: true, limit: 50 }]
  await step('next access', () => tk.products.setFeatureAccess('team', next))
  await show('on the first version')
  await step('versions', () => collect(tk.products.listVersions('team')))
  await step('28 February', () => tk.testClock.set(Date.UTC(2026, 1, 28, 15, 29, 59, 999)))
  await show('before the reset')
  await step('reset', () => tk.testClock.set(Date.UTC(2026, 1, 28, 15, 30)))
  await show('after the reset')
  await step('daily', () =>
    tk.features.update('calls', { usageResetInterval: 'day', usageResetAnchor: 'calendar' }),
  )
  await show('by calendar days')
  await step('archive', () => tk.features.archive('sso', { archived: true, reason: 'old' }))
  await step('leave', () => tk.customers.update('acme', { removeCustomProductKeys: ['team'] }))
  await show('back on the default')
  await step('archive product', () => tk.products.archive('free'))
  await step('archived', () => tk.products.update('free', { name: 'No' }))
  await show('without any product')
  await step('refused', () => tk.consume('acme', 'calls'))
  await step('batch', () =>
    tk.usage.recordBatch([
      { customerId: 'acme', featureKey: 'calls', eventKey: 'x' },
      { customerId: 'acme', featureKey: 'calls', eventKey: 'x' },
      { customerId: 'nobody', featureKey: 'calls', eventKey: 'x' },
      { customerId: 'acme', featureKey: 'sso', eventKey: 'x' },
      { customerId: 'acme', featureKey: 'calls', eventKey: 'x', amount: 2 },
    ]),
  )
  await step('delete feature', () => tk.features.delete('calls'))
  await show('without the feature')
  await step('delete', () => tk.customers.delete('acme'))
  await show('gone')
}

describe('the fake', () => {
  it('answers as the service does, from the first feature to the last customer', async () => {
    const scenario = async (step: Step, tk: Tollkeeper) => {
      for (const part of [stock, useUp, giveAndTake, changePlans]) await part(step, tk)
    }
    const real = await run(service.tk, scenario)
    const fake = await run(createFakeService().client, scenario)
    assert.equal(fake.length, real.length)
    const different = real.flatMap((expected, index) =>
      isDeepStrictEqual(fake[index], expected) ? [] : [{ real: expected, fake: fake[index] }],
    )
    assert.deepEqual(different, [])
    assert.ok(real.length > 60)
  })

  it('sells provider products by a word of the test', async () => {
    const fake = createFakeService({ now: () => start })
    const tk = fake.client
    await tk.features.create({ featureKey: 'calls', name: 'Calls', type: 'limit' })
    await tk.products.link({ productKey: 'pro', providerProductId: 'prod_1' })
    await tk.products.setFeatureAccess('pro', [{ featureKey: 'calls', hasAccess: true, limit: 5 }])
    await tk.customers.create({ customerId: 'acme' })
    assert.match((await tk.checkout('acme', { productKey: 'pro' })).url, /checkout\/acme\/pro/)
    fake.subscribe('acme', 'pro')
    assert.equal((await tk.consume('acme', 'calls', 5)).allowed, true)
    fake.unsubscribe('acme', 'pro')
    assert.equal((await tk.check('acme', 'calls')).reason, 'no_access')
  })

  it('says so where it does not know a route', async () => {
    await assert.rejects(createFakeService().client.products.migrate('x'), { status: 501, code: 'not_faked' })
  })
})
