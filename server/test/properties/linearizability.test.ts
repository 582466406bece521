// Hand-written histories of one customer with 10 calls a month: the search explains those that can be, and only those.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportHistory } from './history-report.ts'
import { findOrders, type Operation } from './linearizability.ts'
import { createReferenceModel, type ReferenceModel } from './reference-model.ts'
import { type Answer, createState, type State } from './reference-state.ts'

const now = Date.UTC(2026, 0, 17, 12)

const setLimit = (limit: number) => (model: ReferenceModel) =>
  model.setFeatureAccess('plan', { featureAccess: [{ featureKey: 'calls', hasAccess: true, limit }] })

function start(): State {
  const state = createState()
  const model = createReferenceModel(state)
  model.setClock({ now })
  model.createFeature({ featureKey: 'calls', name: 'Calls', type: 'limit' })
  model.createCustomProduct({ name: 'Plan', productKey: 'plan' })
  setLimit(10)(model)
  model.createCustomer({ customerId: 'ann', usageStartedAt: now, customProductKeys: ['plan'] })
  return state
}

type Sent = { amount?: number; enforceLimit?: boolean }
const subject = { customerId: 'ann', featureKey: 'calls' }
const record =
  (eventKey: string, more: Sent = {}) =>
  (model: ReferenceModel) =>
    model.recordUsage({ ...subject, eventKey, ...more })
const read = (model: ReferenceModel): Answer => {
  const { status, body } = model.featureAccess('ann')
  const { used } = (body as { calls: { usage: { used: number } } }).calls.usage
  return { status, body: { used } }
}
const setClock = (to: number) => (model: ReferenceModel) => model.setClock({ now: to })
const readTimes = (model: ReferenceModel): Answer => {
  const { events } = model.listUsage({ customerId: 'ann' }).body as { events: { occurredAt: number }[] }
  return { status: 200, body: events.map(({ occurredAt }) => occurredAt) }
}

/** From and to are when it was sent and answered; of the answer, what is given is compared. */
function call(
  from: number,
  to: number,
  ask: Operation['ask'],
  answered: unknown,
  more: Partial<Operation> = {},
) {
  const given =
    typeof answered === 'object' && answered !== null && 'eventId' in answered
      ? [String(answered.eventId)]
      : []
  const isGiven = (actual: unknown) => {
    if (typeof answered !== 'object' || answered === null || Array.isArray(answered))
      return JSON.stringify(actual) === JSON.stringify(answered)
    return Object.entries(answered).every(
      ([key, value]) => (actual as Record<string, unknown>)[key] === value,
    )
  }
  const operation: Operation = {
    text: JSON.stringify(answered),
    isEffectless: ask === read || (answered as { applied?: boolean }).applied === false,
    startAt: from,
    endAt: to,
    ask,
    given,
    answered: { status: 200, body: answered },
    isExplainedBy: ({ body }) => isGiven(body),
    ...more,
  }
  return operation
}

const isExplained = (...operations: Operation[]) => findOrders([start()], operations).finals.length > 0
const changed = (from: number, to: number, ask: Operation['ask']) => call(from, to, ask, {})

describe('a lost update', () => {
  const [one, other] = [record('a'), record('b')]

  it('is found: two at once, both told of one', () => {
    const first = call(0, 10, one, { applied: true, used: 1, eventId: 'x' })
    const second = call(0, 10, other, { applied: true, used: 1, eventId: 'y' })
    assert.ok(!isExplained(first, second))
  })

  it('is found by what is read at rest', () => {
    const first = call(0, 10, one, { applied: true, eventId: 'x' })
    const second = call(0, 10, other, { applied: true, eventId: 'y' })
    assert.ok(!isExplained(first, second, call(20, 21, read, { used: 1 })))
    assert.ok(isExplained(first, second, call(20, 21, read, { used: 2 })))
  })

  it('is none when the totals follow one another, in whichever order', () => {
    const first = call(0, 10, one, { applied: true, used: 2, eventId: 'x' })
    const second = call(1, 9, other, { applied: true, used: 1, eventId: 'y' })
    assert.ok(isExplained(first, second))
  })
})

describe('a read', () => {
  const write = call(0, 10, record('a', { amount: 3 }), { applied: true, used: 3, eventId: 'x' })

  it('after an answered write shows it', () => {
    assert.ok(isExplained(write, call(11, 20, read, { used: 3 })))
    assert.ok(!isExplained(write, call(11, 20, read, { used: 0 })))
  })

  it('beside a write may show it or not', () => {
    assert.ok(isExplained(write, call(5, 20, read, { used: 3 })))
    assert.ok(isExplained(write, call(5, 20, read, { used: 0 })))
  })

  it('never goes back behind an earlier one', () => {
    const reads = [call(1, 2, read, { used: 3 }), call(3, 4, read, { used: 0 })]
    assert.ok(!isExplained(write, ...reads))
  })
})

describe('a limit that was changed', () => {
  const applied = { applied: true, used: 5, eventId: 'x' }
  const five = record('a', { amount: 5, enforceLimit: true })

  it('is obeyed once it was answered', () => {
    assert.ok(!isExplained(changed(0, 10, setLimit(2)), call(11, 20, five, applied)))
    const refused = { applied: false, used: 0, reason: 'limit_reached' }
    assert.ok(isExplained(changed(0, 10, setLimit(2)), call(11, 20, five, refused)))
    assert.ok(!isExplained(changed(0, 10, setLimit(20)), call(11, 20, five, refused)))
  })

  it('may come before or after what is under way with it', () => {
    assert.ok(isExplained(changed(0, 10, setLimit(2)), call(5, 20, five, applied)))
  })

  it('is not overtaken by a write that a later read did not show', () => {
    const write = call(5, 50, five, applied)
    const readBefore = call(20, 30, read, { used: 0 })
    assert.ok(!isExplained(changed(0, 10, setLimit(2)), readBefore, write))
  })
})

describe('a repeated key', () => {
  const again = record('a', { amount: 3 })
  const applied = (eventId: string, used: number) => ({ applied: true, used, eventId })

  it('is not applied twice', () => {
    assert.ok(!isExplained(call(0, 10, again, applied('x', 3)), call(0, 10, again, applied('y', 6))))
  })

  it('is applied once and then a duplicate of the first', () => {
    const duplicate = { applied: false, reason: 'duplicate_event', used: 3, eventId: 'x' }
    assert.ok(isExplained(call(5, 10, again, applied('x', 3)), call(0, 20, again, duplicate)))
    assert.ok(!isExplained(call(5, 10, again, applied('x', 3)), call(0, 4, again, duplicate)))
    const ofAnother = { ...duplicate, eventId: 'z' }
    assert.ok(!isExplained(call(5, 10, again, applied('x', 3)), call(0, 20, again, ofAnother)))
  })
})

describe('the clock', () => {
  const later = now + 1000
  const move = call(0, 10, setClock(later), {}, { isClock: true })
  const write = (from: number, to: number) => call(from, to, record('a'), { applied: true, eventId: 'x' })

  it('gives its new time to all that is sent after its move was answered', () => {
    assert.ok(isExplained(move, write(11, 20), call(30, 31, readTimes, [later])))
    assert.ok(!isExplained(move, write(11, 20), call(30, 31, readTimes, [now])))
  })

  it('gives either time to what is under way', () => {
    for (const at of [now, later]) assert.ok(isExplained(move, write(5, 20), call(30, 31, readTimes, [at])))
  })
})

describe('parts of one call', () => {
  it('come in their order, with others between them', () => {
    const first = call(0, 10, record('a'), { used: 1, eventId: 'x' })
    const second = call(0, 10, record('b'), { used: 3, eventId: 'y' }, { after: first })
    const between = call(0, 10, record('c'), { used: 2, eventId: 'z' })
    assert.ok(isExplained(first, second, between))
    const swapped = call(0, 10, record('b'), { used: 1, eventId: 'y' }, { after: first })
    assert.ok(!isExplained(first, swapped))
  })
})

it('lets what changes nothing here change something later', () => {
  const give = (model: ReferenceModel) => model.updateCustomer('ann', { addCustomProductKeys: ['plan'] })
  const take = (model: ReferenceModel) => model.updateCustomer('ann', { removeCustomProductKeys: ['plan'] })
  const hasAccess = (model: ReferenceModel): Answer => {
    const { calls } = model.featureAccess('ann').body as { calls: { hasAccess: boolean } }
    return { status: 200, body: { hasAccess: calls.hasAccess } }
  }
  const before = changed(0, 1, take)
  const both = [changed(2, 9, take), changed(3, 9, give)]
  for (const end of [true, false]) {
    assert.ok(isExplained(before, ...both, call(10, 11, hasAccess, { hasAccess: end })))
  }
})

it('finds all states that orders end in, and tells of a history that has no order', () => {
  const writes = [changed(0, 10, setLimit(2)), changed(0, 10, setLimit(3))]
  assert.equal(findOrders([start()], writes, 'all').finals.length, 2)
  const stale = [call(0, 1, record('a'), { used: 1, eventId: 'x' }), call(2, 3, read, { used: 0 })]
  const report = reportHistory('ann', [start()], [...stale, call(0, 3, read, { used: 0 })])
  assert.match(report, /as few as still show it \(2 of 3\)/)
  assert.match(report, /body\.used 1, not 0/)
})
