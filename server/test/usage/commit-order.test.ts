// Answers tell the order of commits: running totals, sets between records, reads after writes, over two instances.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../service.ts'
import { startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture({ instances: 2, now: null })
})
after(async () => {
  const differences = await fixture.audit()
  await fixture.close()
  assert.deepEqual(differences, [])
})

const parallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const order = (a: Answer, b: Answer) => (a.body.eventId < b.body.eventId ? -1 : 1)

describe('running totals', () => {
  it('are those of the order of commits, which the order of ids is', async () => {
    const acme = await fixture.makeCustomer()
    const answers = await parallel(300, (index) =>
      fixture.record(acme, `e${index}`, { amount: (index % 7) + 1 }, index % 2),
    )
    const amounts = new Map(answers.map((answer, index) => [answer, (index % 7) + 1]))
    let total = 0
    for (const answer of answers.toSorted(order)) {
      total += amounts.get(answer) as number
      assert.equal(answer.body.used, total)
    }
  })

  it('stay so with sets between records: each adjustment reaches what was asked', async () => {
    const acme = await fixture.makeCustomer()
    const answers = await parallel(200, (index) =>
      index % 5 === 0
        ? fixture.set(acme, `s${index}`, index, index % 2)
        : fixture.record(acme, `e${index}`, { amount: 2 }, index % 2),
    )
    const asked = new Map(answers.map((answer, index) => [answer, index % 5 === 0 ? index : undefined]))
    let total = 0
    for (const answer of answers.toSorted(order)) {
      const set = asked.get(answer)
      if (set !== undefined) assert.equal(answer.body.adjustment, set - total)
      total = set ?? total + 2
      assert.equal(answer.body.used, total)
    }
    assert.equal((await fixture.usage(acme)).used, total)
  })
})

describe('a reader on the other instance', () => {
  it('never sees less than was answered, nor less than it saw before', async () => {
    const acme = await fixture.makeCustomer()
    let answered = 0
    let writing = 4
    const write = async (lane: number) => {
      for (let index = 0; index < 100; index++) {
        const { body } = await fixture.record(acme, `w${lane} ${index}`, {}, 0)
        answered = Math.max(answered, body.used)
      }
      writing--
    }
    let reads = 0
    const read = async () => {
      let seen = 0
      while (writing > 0) {
        const atLeast = Math.max(seen, answered)
        const { used } = await fixture.usage(acme, 'calls', 1)
        assert.ok(used >= atLeast, `saw ${used} after ${atLeast}`)
        seen = used
        reads++
      }
    }
    await Promise.all([...[0, 1, 2, 3].map(write), read(), read(), read()])
    assert.ok(reads > 50, `only ${reads} reads`)
    assert.equal((await fixture.usage(acme, 'calls', 1)).used, 400)
  })

  it('gets its list of bonuses and its customer in time while the customer is written to', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 1_000)
    let isWriting = true
    const write = async (lane: number) => {
      for (let index = 0; isWriting; index++) await fixture.record(acme, `l${lane} ${index}`, {}, 0)
    }
    const writers = [0, 1, 2, 3, 4, 5].map(write)
    let slowest = 0
    for (let index = 0; index < 20; index++) {
      const begunAt = performance.now()
      const { body } = await fixture.request('GET', `/v1/bonuses?customerId=${acme}`, { instance: 1 })
      const customer = await fixture.request('GET', `/v1/customers/${acme}`, { instance: 1 })
      slowest = Math.max(slowest, performance.now() - begunAt)
      assert.equal(body.bonuses[0].amount, 1_000)
      const { usage } = customer.body.featureAccess.calls
      assert.equal(customer.body.bonuses[0].remainingAmount, usage.bonusRemaining)
    }
    isWriting = false
    await Promise.all(writers)
    assert.ok(slowest < 5_000, `one took ${slowest} ms`)
  })
})

describe('bonuses given while usage is recorded', () => {
  it('cover the overage and no more', async () => {
    const acme = await fixture.makeCustomer()
    await parallel(120, (index) =>
      index % 6 === 0
        ? fixture.give(acme, 3, {}, { instance: index % 2 })
        : fixture.record(acme, `e${index}`, { amount: 1 }, (index + 1) % 2),
    )
    const { used, bonusUsed, bonusRemaining, remaining } = await fixture.usage(acme)
    assert.deepEqual([used, bonusUsed, bonusRemaining, remaining], [100, 60, 0, 0])
  })
})

describe('a customer deleted while usage is recorded', () => {
  it('leaves no row behind, and what is recorded afterwards is the new customer’s', async () => {
    const acme = await fixture.makeCustomer()
    const recording = parallel(100, async (index) => {
      const answer = await fixture.record(acme, `e${index}`, {}, index % 2)
      return answer.status
    })
    const deleted = await fixture.request('DELETE', `/v1/customers/${acme}`)
    assert.equal(deleted.status, 200)
    const statuses = await recording
    assert.ok(statuses.every((status) => status === 200 || status === 404))
    await fixture.make('POST', '/v1/customers', { customerId: acme, customProductKeys: ['plan'] })
    assert.equal((await fixture.usage(acme)).used, 0)
    assert.equal((await fixture.record(acme, 'e0', {}, 1)).body.used, 1)
  })
})

describe('a batch that the database refuses', () => {
  it('fails whole, and the batches behind it are untouched', async () => {
    await fixture.service.query(`
      create function refuse_poison() returns trigger language plpgsql as $$
      begin
        if new.event_key like 'poison%' then raise exception 'poison'; end if;
        return new;
      end $$;
      create trigger refuse_poison before insert on usage_event
        for each row execute function refuse_poison()`)
    const customers = await parallel(3, () => fixture.makeCustomer())
    const recorded = new Map<string, number>(customers.map((customer) => [customer, 0]))
    await parallel(24, async (lane) => {
      for (let index = 0; index < 15; index++) {
        const customer = customers[(lane + index) % 3] as string
        const isPoison = (lane * 15 + index) % 23 === 0
        const key = `${isPoison ? 'poison' : 'e'} ${lane} ${index}`
        for (let attempt = 0; ; attempt++) {
          const { status, body } = await fixture.record(customer, key, {}, 0)
          if (status === 200 && body.applied) recorded.set(customer, (recorded.get(customer) as number) + 1)
          if (status === 200 || isPoison) break
          assert.ok(attempt < 200, `${key} is still refused`)
        }
      }
    })
    await fixture.service.query('drop trigger refuse_poison on usage_event')
    for (const [customer, used] of recorded) {
      for (const instance of [0, 1])
        assert.equal((await fixture.usage(customer, 'calls', instance)).used, used)
    }
  })
})
