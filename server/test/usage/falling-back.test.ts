// Falling back to the default product by losing an assigned one: the period is cut there, and only there.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { dayMs, noon, type Stage, startedAt, startStage } from './stage.ts'

let stage: Stage
before(async () => {
  stage = await startStage({ instances: 2 })
  await stage.makeFeature('days', { usageResetAnchor: 'calendar' })
  await stage.makeFeature('ever', { usageResetInterval: 'never' })
  await stage.makeFeature('extra')
  const grant = (featureKey: string, limit: number) => ({ featureKey, hasAccess: true, limit })
  const keys = ['calls', 'days', 'ever']
  await stage.makeProduct(
    'big',
    [...keys, 'extra'].map((featureKey) => grant(featureKey, 50)),
  )
  await stage.makeProduct(
    'free',
    keys.map((featureKey) => grant(featureKey, 5)),
    { isDefault: true },
  )
})
after(() => stage.close())
beforeEach(() => stage.setClock(noon))

const update = (customerId: string, body: object) => stage.make('PUT', `/v1/customers/${customerId}`, body)
const use = (customerId: string, featureKey: string, amount: number) =>
  stage.make('POST', '/v1/usage', { customerId, featureKey, eventKey: `${featureKey} ${amount}`, amount })
const fall = (customerId: string) => update(customerId, { removeCustomProductKeys: ['big'] })
const usedOf = async (customerId: string, featureKey: string) => {
  const { used, lastReset, nextReset } = await stage.usage(customerId, featureKey, 1)
  return [used, lastReset, nextReset]
}

describe('falling back', () => {
  it('starts a fresh period of what the default grants, of the calendar too, and of nothing else', async () => {
    const acme = await stage.makeCustomer({ customProductKeys: ['big'] })
    for (const key of ['calls', 'days', 'ever', 'extra']) await use(acme, key, 40)
    await stage.setClock(noon + 1000)
    const { body } = await fall(acme)
    const [free] = body.products
    assert.deepEqual([free.key, free.isDefault, free.startedAt], ['free', true, noon + 1000])
    const end = Date.UTC(2026, 1, 10)
    assert.deepEqual(await usedOf(acme, 'calls'), [0, noon + 1000, end])
    assert.deepEqual(await usedOf(acme, 'days'), [0, noon + 1000, Date.UTC(2026, 1)])
    assert.deepEqual(await usedOf(acme, 'ever'), [40, startedAt, undefined])
    assert.deepEqual(await usedOf(acme, 'extra'), [40, startedAt, end])
    assert.equal((await stage.usage(acme)).remaining, 5)
    assert.deepEqual(await stage.audit(), [])
  })

  it('cuts only while the default is held as a fall-back, at the last instant alone', async () => {
    const acme = await stage.makeCustomer({ customProductKeys: ['big'] })
    await use(acme, 'calls', 40)
    await stage.setClock(noon + 1000)
    await fall(acme)
    await use(acme, 'calls', 1)
    await update(acme, { addCustomProductKeys: ['big'] })
    assert.deepEqual((await usedOf(acme, 'calls')).slice(0, 2), [41, startedAt])
    await stage.setClock(noon + dayMs)
    await fall(acme)
    assert.deepEqual((await usedOf(acme, 'calls')).slice(0, 2), [0, noon + dayMs])
    await update(acme, { addCustomProductKeys: ['free'] })
    assert.deepEqual((await usedOf(acme, 'calls')).slice(0, 2), [41, startedAt])
  })

  it('is none where a main product stays, or where an add-on is removed', async () => {
    await stage.makeProduct('add', [{ featureKey: 'calls', hasAccess: true, limit: 1 }])
    await stage.make('PUT', '/v1/products/add', { isAddOn: true })
    const acme = await stage.makeCustomer({ customProductKeys: ['big', 'plan', 'add'] })
    await use(acme, 'calls', 7)
    await fall(acme)
    await update(acme, { removeCustomProductKeys: ['add'] })
    assert.deepEqual((await usedOf(acme, 'calls')).slice(0, 2), [7, startedAt])
  })

  it('is none by a change of the catalogue', async () => {
    await stage.makeProduct('turned', [{ featureKey: 'calls', hasAccess: true, limit: 9 }])
    const acme = await stage.makeCustomer({ customProductKeys: ['turned'] })
    await use(acme, 'calls', 7)
    await stage.make('PUT', '/v1/products/turned', { isAddOn: true })
    const { body } = await stage.request('GET', `/v1/customers/${acme}`)
    assert.deepEqual(
      body.products.map((product: { key: string; startedAt: number }) => [product.key, product.startedAt]),
      [
        ['turned', noon],
        ['free', startedAt],
      ],
    )
    assert.deepEqual((await usedOf(acme, 'calls')).slice(0, 2), [7, startedAt])
  })

  it('leaves the draws made before it settled, and the bonus as it is', async () => {
    const acme = await stage.makeCustomer({ customProductKeys: ['big'] })
    await stage.give(acme, 10)
    await use(acme, 'calls', 54)
    await stage.setClock(noon + 1000)
    await fall(acme)
    const { used, bonusUsed, bonusRemaining, remaining } = await stage.usage(acme)
    assert.deepEqual([used, bonusUsed, bonusRemaining, remaining], [0, 0, 6, 11])
    await use(acme, 'calls', 8)
    const after = await stage.usage(acme)
    assert.deepEqual([after.used, after.bonusUsed, after.bonusRemaining], [8, 3, 3])
    assert.deepEqual(await stage.audit(), [])
  })
})
