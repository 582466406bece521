// Remembered results: computed once while they are asked for, and never more of them than the bound.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoize } from '../../src/storage/memo.ts'

describe('memoize', () => {
  it('computes what is asked for again only once', () => {
    let computed = 0
    const double = memoize((text) => {
      computed++
      return text + text
    }, 10)
    assert.deepEqual([double('a'), double('a'), double('b')], ['aa', 'aa', 'bb'])
    assert.equal(computed, 2)
  })

  it('keeps what is asked for while others come and go, and lets the others go', () => {
    const computed: string[] = []
    const same = memoize((text) => {
      computed.push(text)
      return text
    }, 10)
    for (let other = 0; other < 100; other++) {
      same('kept')
      same(`other-${other}`)
    }
    assert.equal(computed.filter((text) => text === 'kept').length, 1)
    same('other-0')
    assert.equal(computed.filter((text) => text === 'other-0').length, 2)
  })
})
