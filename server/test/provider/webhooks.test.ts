// Webhooks as the adapter reads them: signatures that hold and that do not, and what an event is about.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { signWebhook } from '@tollkeeper/simulator/src/events/delivery.ts'
import { type ReceivedWebhook, secrets, seed } from '../../../simulator/test/simulator-fixture.ts'
import { InvalidWebhookError } from '../../src/provider/provider.ts'
import { eventTypes } from '../../src/provider/stripe/events.ts'
import { type ProviderFixture, startTestProvider } from './provider-fixture.ts'

let running: ProviderFixture
before(async () => {
  running = await startTestProvider()
})
after(() => running.close())
afterEach(async () => {
  running.simulator.faults.reset()
  running.receiver.status = 200
  await running.simulator.deliverDue()
  running.received.length = 0
})

/** Makes one event and gives its webhook as it arrived. */
async function receiveOne(): Promise<ReceivedWebhook> {
  await running.stripe.test.customers.create({ name: 'Ünïcode 漢字' })
  await running.simulator.deliverDue()
  const webhook = running.received.at(-1)
  assert(webhook)
  return webhook
}

const refused = (body: Buffer | string, header: string | undefined, nowMs = Date.now()) =>
  assert.throws(() => running.provider.test.readWebhook(body, header, nowMs), InvalidWebhookError)

describe('a signature', () => {
  it('that is right lets the event through, whatever the body is given as', async () => {
    const { body, signature, event } = await receiveOne()
    for (const raw of [body, Buffer.from(body)]) {
      const read = running.provider.test.readWebhook(raw, signature, Date.now())
      assert(read)
      assert.equal(read.eventId, event.id)
      assert.equal(read.type, 'customer.created')
      assert.deepEqual(read.subject, { kind: 'customer', id: event.data.object.id })
    }
  })

  it('that is missing, malformed or made with another secret is refused', async () => {
    const { body, signature } = await receiveOne()
    refused(body, undefined)
    refused(body, '')
    refused(body, 'nonsense')
    refused(body, signature.replace(/v1=.*/, 'v1='))
    refused(body, signature.replace('v1=', 'v0='))
    refused(body, signWebhook(body, secrets.live.webhookSecret, Date.now()))
    refused(body, signWebhook(body, '', Date.now()))
  })

  it('holds for the exact bytes and time only', async () => {
    const { body, signature } = await receiveOne()
    const changed = Buffer.from(body)
    changed[10] = (changed[10] as number) ^ 1
    refused(changed, signature)
    refused(`${body} `, signature)
    refused('', signature)
    refused(
      body,
      signature.replace(/t=(\d+)/, (_, t) => `t=${Number(t) + 1}`),
    )
  })

  it('is good for 300 s either way and no longer', async () => {
    const { body } = await receiveOne()
    const nowMs = Math.floor(Date.now() / 1000) * 1000
    for (const ageS of [-300, 0, 300]) {
      const header = signWebhook(body, secrets.test.webhookSecret, nowMs - ageS * 1000)
      assert.ok(running.provider.test.readWebhook(body, header, nowMs))
    }
    for (const ageS of [-301, 301])
      refused(body, signWebhook(body, secrets.test.webhookSecret, nowMs - ageS * 1000), nowMs)
  })

  it('that is right does not let through the other mode, or what is no event', async () => {
    const { event } = await receiveOne()
    const sign = (body: string) => signWebhook(body, secrets.test.webhookSecret, Date.now())
    const bodies = [
      JSON.stringify({ ...event, livemode: true }),
      '{}',
      'null',
      '[]',
      '"x"',
      'not json',
      '{"id":"evt_1"}',
    ]
    for (const body of bodies) refused(body, sign(body))
  })
})

describe('an event', () => {
  it('of the live environment goes to its own address with its own signature', async () => {
    await running.stripe.live.products.create({ name: 'Pro' })
    await running.simulator.deliverDue()
    const webhook = running.received.find(({ environment }) => environment === 'live')
    assert(webhook)
    const read = running.provider.live.readWebhook(webhook.body, webhook.signature, Date.now())
    assert(read)
    assert.equal(read.subject.kind, 'product')
  })

  it('tells the customer or product it is about', async () => {
    const { stripe, provider } = running
    const { customer, priceId, product } = await seed(stripe.test)
    const subscription = await stripe.test.subscriptions.create({
      customer: customer.id,
      items: [{ price: priceId }],
    })
    const method = await stripe.test.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await stripe.test.paymentMethods.detach(method.id)
    const session = await provider.test.createCheckoutSession(
      {
        providerCustomerId: customer.id,
        providerPriceId: priceId,
        quantity: 1,
        successUrl: 'https://e.com/',
        metadata: {},
      },
      'about',
    )
    await provider.test.expireCheckoutSession(session.checkoutSessionId)
    await running.simulator.deliverDue()
    const subjects = new Map(
      running.received.map(({ body, signature, event }) => [
        `${event.type} ${event.data.object.id}`,
        provider.test.readWebhook(body, signature, Date.now())?.subject,
      ]),
    )
    const ofCustomer = { kind: 'customer', id: customer.id }
    assert.deepEqual(subjects.get(`customer.subscription.created ${subscription.id}`), ofCustomer)
    assert.deepEqual(subjects.get(`payment_method.detached ${method.id}`), ofCustomer)
    assert.deepEqual(subjects.get(`price.created ${priceId}`), { kind: 'product', id: product.id })
    assert.deepEqual(subjects.get(`checkout.session.expired ${session.checkoutSessionId}`), ofCustomer)
  })

  it('of a type that no endpoint needs is read as nothing, and not listed', async () => {
    const body = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'invoice.paid',
      created: 1,
      livemode: false,
      data: { object: { id: 'in_1', object: 'invoice', customer: 'cus_1' } },
    })
    const signature = signWebhook(body, secrets.test.webhookSecret, Date.now())
    assert.equal(running.provider.test.readWebhook(body, signature, Date.now()), undefined)
    const { stripe, provider } = running
    const { customer, priceId } = await seed(stripe.test)
    await stripe.test.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await stripe.test.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })
    const all = await stripe.test.events.list({ limit: 100 })
    assert(all.data.some(({ type }) => type.startsWith('invoice.')))
    const { items } = await provider.test.listEvents(0)
    assert.deepEqual(
      items.filter(({ type }) => type.startsWith('invoice.')),
      [],
    )
  })

  it('that is thin is refused with the way out, once its signature is right', () => {
    const body = JSON.stringify({
      id: 'evt_1',
      object: 'v2.core.event',
      type: 'v1.billing.meter.no_meter_found',
    })
    const signature = signWebhook(body, secrets.test.webhookSecret, Date.now())
    assert.throws(
      () => running.provider.test.readWebhook(body, signature, Date.now()),
      /thin event.*snapshot/,
    )
    assert.throws(
      () => running.provider.test.readWebhook(body, `${signature}0`, Date.now()),
      /signature is missing, wrong or too old/,
    )
  })

  it('is asked for by the types that the guide names', () => {
    const guide = readFileSync(new URL('../../../docs/stripe.md', import.meta.url), 'utf8')
    const rows = guide
      .split('\n')
      .filter((line) => /^\| `(checkout|customer|payment_method|product|price)\./.test(line))
    const named = rows.flatMap((line) => [...line.matchAll(/`([\w.]+)`/g)].map((match) => match[1]))
    assert.deepEqual(named.sort(), [...eventTypes].sort())
    assert(eventTypes.length <= 20)
  })
})
