// What is held in memory: the newest of each customer, those asked for lately, and no more than the bound.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CustomerState } from '../../src/domain/ledger/state.ts'
import { createHeldStates, type HeldStates } from '../../src/storage/ledger/held-states.ts'
import { openPipelinedConnection } from '../../src/storage/pipelined-connection.ts'
import { state as sampleState } from '../domain/ledger-samples.ts'

/** Nothing here asks the database. */
const create = (): HeldStates => createHeldStates(openPipelinedConnection({}))

const stateOf = (
  customerHash: string,
  revision: number,
  { catalogueRevision = 1, customerUid = 'uid', asOf = 0 } = {},
): CustomerState => {
  const { customer } = sampleState()
  return sampleState({
    revision,
    catalogueRevision,
    asOf,
    customer: { ...customer, customerHash, customerUid },
  })
}

describe('held states', () => {
  it('are never replaced by an older one', () => {
    const states = create()
    const newer = stateOf('a', 2)
    states.keep(newer)
    states.keep(stateOf('a', 1, { catalogueRevision: 9 }))
    assert.equal(states.find('a'), newer)
  })

  it('are found by the hash of environment and id, and nobody else is', () => {
    const states = create()
    states.keep(stateOf('a', 1))
    assert.equal(states.find('uid'), undefined)
    assert.equal(states.find('b'), undefined)
  })

  it('of one revision are replaced by one confirmed under a later catalogue, and not by one under an earlier', () => {
    const states = create()
    const later = stateOf('a', 1, { catalogueRevision: 3 })
    states.keep(stateOf('a', 1, { catalogueRevision: 2 }))
    states.keep(later)
    states.keep(stateOf('a', 1, { catalogueRevision: 2, asOf: 5 }))
    assert.equal(states.find('a'), later)
  })

  it('of one revision and catalogue are replaced by what came last', () => {
    const states = create()
    const last = stateOf('a', 1, { asOf: 10 })
    states.keep(stateOf('a', 1, { asOf: 20 }))
    states.keep(last)
    assert.equal(states.find('a'), last)
  })

  it('of a customer made anew replace the one before, whatever its revision', () => {
    const states = create()
    const anew = stateOf('a', 1, { customerUid: 'second' })
    states.keep(stateOf('a', 9, { customerUid: 'first', catalogueRevision: 9 }))
    states.keep(anew)
    assert.equal(states.find('a'), anew)
  })

  it('are let go when told so, however they aged', () => {
    const states = create()
    states.keep(stateOf('a', 1))
    for (let other = 0; other < 10_000; other++) states.keep(stateOf(`other-${other}`, 1))
    states.forget('a')
    assert.equal(states.find('a'), undefined)
  })

  it('stay while they are asked for, and go when many others came since', () => {
    const states = create()
    const asked = stateOf('asked', 1)
    states.keep(asked)
    states.keep(stateOf('forgotten', 1))
    for (let other = 0; other < 25_000; other++) {
      states.keep(stateOf(`other-${other}`, 1))
      if (other % 1_000 === 0) assert.equal(states.find('asked'), asked)
    }
    assert.equal(states.find('forgotten'), undefined)
    const held = Array.from({ length: 25_000 }, (_, other) => states.find(`other-${other}`))
    assert.ok(held.filter(Boolean).length <= 20_000)
    assert.ok(states.find('other-24999'))
  })

  it('survive a newer one being kept across a change of generations', () => {
    const states = create()
    states.keep(stateOf('a', 1))
    for (let other = 0; other < 10_000; other++) states.keep(stateOf(`other-${other}`, 1))
    states.keep(stateOf('a', 2))
    for (let other = 0; other < 9_990; other++) states.keep(stateOf(`more-${other}`, 1))
    assert.equal(states.find('a')?.revision, 2)
  })
})

describe('sharing customers with another instance', () => {
  it('is believed for a second after a write met it', (t) => {
    t.mock.method(performance, 'now', () => now)
    let now = 5_000
    const states = create()
    assert.equal(states.sharesCustomers(), false)
    states.noteSharing()
    now += 999
    assert.equal(states.sharesCustomers(), true)
    now += 1
    assert.equal(states.sharesCustomers(), false)
  })
})
