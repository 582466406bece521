// What is held in memory: the newest of each customer, those asked for lately, and no more than the bound.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CustomerStates, createCustomerStates } from '../../src/storage/ledger/held-states.ts'
import { openLane } from '../../src/storage/pipelined-connection.ts'
import { state as sampleState } from '../domain/ledger-samples.ts'

/** Nothing here asks the database. */
const create = (): CustomerStates => createCustomerStates(openLane({}))

const stateAt = (revision: number, asOf = 0) => sampleState({ revision, asOf })

describe('held states', () => {
  it('are never replaced by an older one', () => {
    const states = create()
    const newer = stateAt(2)
    states.keep('a', newer)
    states.keep('a', stateAt(1))
    assert.equal(states.find('a'), newer)
  })

  it('of the same revision serve the earliest time', () => {
    const states = create()
    const early = stateAt(1, 10)
    states.keep('a', stateAt(1, 20))
    states.keep('a', early)
    states.keep('a', stateAt(1, 30))
    assert.equal(states.find('a'), early)
  })

  it('stay while they are asked for, and go when many others came since', () => {
    const states = create()
    const state = stateAt(1)
    states.keep('asked', state)
    states.keep('forgotten', state)
    for (let other = 0; other < 25_000; other++) {
      states.keep(`other-${other}`, state)
      if (other % 1_000 === 0) assert.equal(states.find('asked'), state)
    }
    assert.equal(states.find('forgotten'), undefined)
    const held = Array.from({ length: 25_000 }, (_, other) => states.find(`other-${other}`))
    assert.ok(held.filter(Boolean).length <= 20_000)
    assert.equal(states.find('other-24999'), state)
  })

  it('survive a newer one being kept across a change of generations', () => {
    const states = create()
    states.keep('a', stateAt(1))
    for (let other = 0; other < 10_000; other++) states.keep(`other-${other}`, stateAt(1))
    states.keep('a', stateAt(2))
    for (let other = 0; other < 9_990; other++) states.keep(`more-${other}`, stateAt(1))
    assert.equal(states.find('a')?.revision, 2)
  })
})
