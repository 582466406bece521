// What a checkout may do, as a table: sell, change, or refuse with a reason.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkQuantity, decidePrice } from '../../src/domain/billing/price.ts'
import { decidePurchase, type PurchaseRequest, type Subscribed } from '../../src/domain/billing/purchase.ts'
import type { Price } from '../../src/domain/catalogue/catalogue.ts'
import { catalogue, entry, product } from './ledger-samples.ts'

const basic = product('basic', [[entry(1)]], { type: 'provider', providerProductId: 'prod_basic' })
const pro = product('pro', [[entry(2)]], { type: 'provider', providerProductId: 'prod_pro' })
const extra = {
  ...product('extra', [[entry(2)]], { type: 'provider', providerProductId: 'prod_extra' }),
  isAddOn: true,
}
const all = catalogue([basic, pro, extra])

const price = (more: Partial<Price> = {}): Price => ({
  priceId: 'p',
  providerPriceId: 'price_1',
  currency: 'usd',
  unitAmount: 100,
  recurringInterval: 'month',
  recurringIntervalCount: 1,
  isMetered: false,
  isActive: true,
  isDefault: false,
  ...more,
})

type Item = Subscribed['items'][number]
const item = (more: Partial<Item> = {}): Item => ({
  itemId: 'si_1',
  providerProductId: 'prod_basic',
  currency: 'usd',
  quantity: 5,
  isMetered: false,
  ...more,
})
const subscribed = (more: Partial<Subscribed> = {}): Subscribed => ({
  providerSubscriptionId: 'sub_1',
  phase: 'granting',
  isAwaitingFirstPayment: false,
  isSetToCancel: false,
  items: [item()],
  ...more,
})
const asked = (more: Partial<PurchaseRequest> = {}): PurchaseRequest => ({
  product: pro,
  price: price(),
  quantity: undefined,
  additional: false,
  ...more,
})
const decide = (held: Subscribed[], more: Partial<PurchaseRequest> = {}) =>
  decidePurchase(all, held, asked(more))
const refused = (code: string, reason: RegExp, held: Subscribed[], more: Partial<PurchaseRequest> = {}) =>
  assert.throws(() => decide(held, more), { code, kind: 'conflict', message: reason })

describe('decidePurchase sells', () => {
  const sale = { flow: 'checkout', quantity: 1 }

  it('to whoever subscribes to nothing, one unless told how many, and a metered price without a quantity', () => {
    assert.deepEqual(decide([]), sale)
    assert.deepEqual(decide([], { quantity: 7 }), { flow: 'checkout', quantity: 7 })
    assert.deepEqual(decide([], { price: price({ isMetered: true }) }), {
      flow: 'checkout',
      quantity: undefined,
    })
  })

  it('to whoever had this product and has it no longer, or never paid for it', () => {
    const ofPro = { items: [item({ providerProductId: 'prod_pro' })] }
    assert.deepEqual(decide([subscribed({ ...ofPro, phase: 'ended' })]), sale)
    assert.deepEqual(
      decide([subscribed({ ...ofPro, phase: 'suspended', isAwaitingFirstPayment: true })]),
      sale,
    )
  })

  it('beside what there is when asked to, and add-ons always', () => {
    assert.deepEqual(decide([subscribed()], { additional: true }), sale)
    const ofPro = subscribed({ items: [item({ providerProductId: 'prod_pro' })] })
    assert.deepEqual(decide([ofPro], { additional: true }), sale)
    assert.deepEqual(decide([subscribed()], { product: extra }), sale)
    assert.deepEqual(decide([subscribed({ items: [item({ providerProductId: 'prod_extra' })] })]), sale)
  })

  it('to whoever subscribes to what is not in the catalogue', () => {
    assert.deepEqual(decide([subscribed({ items: [item({ providerProductId: 'prod_other' })] })]), sale)
  })
})

describe('decidePurchase changes', () => {
  const change = { flow: 'change', providerSubscriptionId: 'sub_1', itemId: 'si_1', quantity: 5 }

  it('the one main subscription, with its quantity unless another is asked for', () => {
    assert.deepEqual(decide([subscribed()]), change)
    assert.deepEqual(decide([subscribed()], { quantity: 2 }), { ...change, quantity: 2 })
    assert.deepEqual(decide([subscribed()], { price: price({ recurringInterval: 'year' }) }), change)
  })

  it('whatever else is ended, suspended or an add-on', () => {
    const addOn = subscribed({
      providerSubscriptionId: 'sub_2',
      items: [item({ providerProductId: 'prod_extra' })],
    })
    const suspended = subscribed({ providerSubscriptionId: 'sub_3', phase: 'suspended' })
    assert.deepEqual(decide([addOn, suspended, subscribed(), subscribed({ phase: 'ended' })]), change)
  })
})

describe('decidePurchase refuses', () => {
  it('what is subscribed to already, suspended or not, with the way out', () => {
    const ofPro = { items: [item(), item({ providerProductId: 'prod_pro' })] }
    refused('already_subscribed', /"pro" already\. The customer portal .*additional: true/, [
      subscribed(ofPro),
    ])
    refused('already_subscribed', /already/, [subscribed({ ...ofPro, phase: 'suspended' })])
    const ofExtra = subscribed({ items: [item({ providerProductId: 'prod_extra' })] })
    refused('already_subscribed', /already/, [ofExtra], { product: extra })
  })

  it('a change that the provider could not make, with the reason', () => {
    const code = 'change_not_possible'
    refused(code, /not in force.*portal.*additional/, [subscribed({ phase: 'suspended' })])
    refused(code, /several subscriptions/, [subscribed(), subscribed()])
    refused(code, /several items/, [subscribed({ items: [item(), item({ itemId: 'si_2' })] })])
    refused(code, /is metered/, [subscribed({ items: [item({ isMetered: true })] })])
    refused(code, /set to cancel/, [subscribed({ isSetToCancel: true })])
    refused(code, /new price is metered/, [subscribed()], { price: price({ isMetered: true }) })
    refused(code, /another currency/, [subscribed()], { price: price({ currency: 'eur' }) })
  })
})

describe('decidePrice', () => {
  const sold = (prices: Price[], wanted?: string) => decidePrice({ ...pro, prices }, wanted).providerPriceId
  const oneTime = price({ providerPriceId: 'price_once', recurringInterval: null })

  it('takes the only recurring one, the default among several, and the override', () => {
    assert.equal(sold([price(), oneTime]), 'price_1')
    assert.equal(sold([price(), { ...oneTime, isDefault: true }]), 'price_1')
    assert.equal(sold([price(), price({ providerPriceId: 'price_2', isDefault: true })]), 'price_2')
    assert.equal(
      sold([price(), price({ providerPriceId: 'price_2', isActive: false, isDefault: true })]),
      'price_1',
    )
    assert.equal(
      sold([price({ isDefault: true }), price({ providerPriceId: 'price_2' })], 'price_2'),
      'price_2',
    )
  })

  it('refuses what is inactive, foreign, one-time, or one of several', () => {
    assert.throws(
      () => sold([price(), price({ providerPriceId: 'price_2' })]),
      /several prices and no default/,
    )
    assert.throws(() => sold([oneTime]), /only one-time/)
    assert.throws(() => sold([]), /no active price/)
    assert.throws(() => sold([price(), oneTime], 'price_once'), /one-time/)
    assert.throws(() => sold([price({ isActive: false })], 'price_1'), /not active/)
    assert.throws(() => sold([price()], 'price_other'), /not a price of/)
  })

  it('has no quantity when it is metered', () => {
    assert.throws(() => checkQuantity(price({ isMetered: true }), 1), /quantity cannot be given/)
    checkQuantity(price({ isMetered: true }), undefined)
    checkQuantity(price(), 3)
  })
})
