// What the dashboard says that time will bring is what then happens when the clock is moved there.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addSubscriber, type DashboardShop, openDashboardShop } from './provider-fixture.ts'

const dayMs = 86_400_000
const start = Date.parse('2027-01-10T12:00:00Z')

type Ahead = { at: number; kind: string; customerId: string; text: string }

describe('what is ahead of the clock', () => {
  let shop: DashboardShop
  before(async () => {
    shop = await openDashboardShop()
    await setClock(start)
    await addSubscriber(shop, 'renewing')
    await addSubscriber(shop, 'trying', { trial_end: Math.floor((start + 5 * dayMs) / 1000) })
    await addSubscriber(shop, 'leaving', { cancel_at_period_end: true })
    await shop.post('/v1/customers', { customerId: 'free' })
    for (const customerId of ['renewing', 'free'])
      await shop.post('/v1/usage', { customerId, featureKey: 'api_calls', eventKey: 'e', amount: 4 })
    const bonus = { customerId: 'free', featureKey: 'api_calls', amount: 9, expiresAt: start + 2 * dayMs }
    assert.equal((await shop.post('/v1/bonuses', bonus)).status, 201)
  })
  after(() => shop.close())

  async function setClock(now: number): Promise<void> {
    assert.equal((await shop.put('/v1/test-clock', { now })).status, 200)
  }
  const readAhead = async (to?: number) => {
    const answer = await shop.admin.request('GET', `test/clock/ahead${to === undefined ? '' : `?to=${to}`}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body as { now: number; isFrozen: boolean; ahead: Ahead[]; isCut: boolean }
  }
  const statusOf = async (customerId: string) =>
    (await shop.get(`/v1/customers/${customerId}`)).body.products.map(
      (each: { key: string; status: string }) => [each.key, each.status],
    )
  const accessOf = async (customerId: string) =>
    (await shop.get(`/v1/feature-access?customerId=${customerId}`)).body.api_calls.usage

  it('is listed soonest first, each with its kind, and equals what then happens', async () => {
    const { now, isFrozen, ahead, isCut } = await readAhead()
    assert.deepEqual([now, isFrozen, isCut], [start, true, false])
    assert.deepEqual(ahead.map(({ kind, customerId }) => [kind, customerId]).sort(), [
      ['bonus_expiry', 'free'],
      ['cancellation', 'leaving'],
      ['renewal', 'renewing'],
      ['reset', 'free'],
      ['reset', 'renewing'],
      ['trial_end', 'trying'],
    ])
    assert.deepEqual(
      ahead.map(({ at }) => at),
      ahead.map(({ at }) => at).sort((one, other) => one - other),
    )
    const at = (kind: string, customerId: string) =>
      ahead.find((each) => each.kind === kind && each.customerId === customerId)?.at as number
    assert.equal(at('bonus_expiry', 'free'), start + 2 * dayMs)
    assert.equal(at('trial_end', 'trying'), start + 5 * dayMs)

    await setClock(at('bonus_expiry', 'free') - 1)
    assert.equal((await accessOf('free')).bonusRemaining, 9)
    await setClock(at('bonus_expiry', 'free'))
    assert.equal((await accessOf('free')).bonusRemaining, 0)
    await setClock(at('trial_end', 'trying') - 1_000)
    assert.deepEqual(await statusOf('trying'), [['pro', 'trialing']])
    await setClock(at('trial_end', 'trying'))
    assert.deepEqual(await statusOf('trying'), [['pro', 'active']])
    const last = Math.max(at('reset', 'free'), at('renewal', 'renewing'), at('cancellation', 'leaving'))
    await setClock(last - 60_000)
    const used = [(await accessOf('free')).used, (await accessOf('renewing')).used]
    assert.deepEqual([used, await statusOf('leaving')], [[4, 4], [['pro', 'active']]])
    await setClock(last)
    const after = [(await accessOf('free')).used, (await accessOf('renewing')).used]
    assert.deepEqual([after, await statusOf('leaving')], [[0, 0], [['free', 'active']]])

    const changes = await shop.admin.request('GET', `test/clock/changes?from=${last}&to=${last}`)
    const actions = changes.body.entries.map(({ action, subject }: { action: string; subject: string }) => [
      action,
      subject,
    ])
    for (const wanted of [
      ['clock.set', 'test-clock'],
      ['customer.sync', 'leaving'],
      ['customer.sync', 'renewing'],
    ])
      assert.ok(
        actions.some(([action, subject]: string[]) => action === wanted[0] && subject === wanted[1]),
        JSON.stringify(actions),
      )
  })

  it('ends where it is asked to, and is only of the test environment', async () => {
    const { now, ahead } = await readAhead()
    const soonest = ahead[0] as Ahead
    assert.deepEqual(
      (await readAhead(soonest.at)).ahead.filter(({ at }) => at > soonest.at),
      [],
    )
    assert.ok((await readAhead(soonest.at)).ahead.length > 0)
    assert.deepEqual((await readAhead(now)).ahead, [])
    for (const path of ['live/clock/ahead', 'live/clock/changes', 'live/demo'])
      assert.equal((await shop.admin.request('GET', path)).status, 404)
    assert.equal((await shop.admin.request('GET', 'test/clock/changes?from=1')).status, 400)
    const turned = await shop.admin.request('GET', `test/clock/changes?from=${now}&to=${now - 1}`)
    assert.equal(turned.status, 400)
  })
})
