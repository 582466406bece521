// Settling: draws follow the need, in the order of expiry, and go back in the opposite order.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { noAllowance } from '../../src/domain/access/allowance.ts'
import {
  appendDraw,
  applyToBonuses,
  compareDrawOrder,
  settle,
  sumOf,
} from '../../src/domain/ledger/settle.ts'
import type { Bonus } from '../../src/domain/ledger/state.ts'
import { bonus, draws, limited, now, spell, units, unlimited } from './ledger-samples.ts'

describe('the order of drawing', () => {
  it('is soonest expiry, never-expiring last, then oldest, then id', () => {
    const inOrder = [
      bonus('d', 1, { expiresAt: now + 1 }),
      bonus('b', 1, { expiresAt: now + 2, createdAt: now - 5 }),
      bonus('c', 1, { expiresAt: now + 2 }),
      bonus('f', 1, { createdAt: now - 1 }),
      bonus('a', 1),
      bonus('e', 1),
    ]
    for (let turn = 0; turn < inOrder.length; turn++) {
      const turned = [...inOrder.slice(turn), ...inOrder.slice(0, turn)]
      assert.deepEqual(turned.sort(compareDrawOrder), inOrder)
    }
  })
})

describe('settle', () => {
  const a = bonus('a', 3, { expiresAt: now + 1 })
  const b = bonus('b', 5)
  const drawnA = { ...a, drawn: units(3) }
  const drawnB = { ...b, drawn: units(1) }
  type Row = [
    what: string,
    total: number,
    allowed: Parameters<typeof settle>[0]['allowance'],
    bonuses: Bonus[],
  ]
  const rows: [...Row, before: string, after: string, left: number][] = [
    ['within the plan nothing is drawn', 10, limited(10), [a, b], '', '', 8],
    ['the need is drawn, soonest expiry first', 14, limited(10), [b, a], '', 'a3 b1', 4],
    ['no more than there is', 30, limited(10), [a, b], '', 'a3 b5', 0],
    ['further need draws further', 15, limited(10), [drawnA, drawnB], 'a3 b1', 'a3 b2', 3],
    ['less need returns the last drawn first', 12, limited(10), [drawnA, drawnB], 'a3 b1', 'a2', 6],
    ['no need returns all', 10, limited(10), [drawnA, drawnB], 'a3 b1', '', 8],
    ['a bigger plan returns', 14, limited(13), [drawnA, drawnB], 'a3 b1', 'a1', 7],
    ['unlimited returns all', 14, unlimited, [drawnA, drawnB], 'a3 b1', '', 8],
    ['without access nothing is drawn', 14, noAllowance, [a, b], '', '', 8],
    ['without access nothing is returned', 0, noAllowance, [drawnA, drawnB], 'a3 b1', 'a3 b1', 4],
    ['a total below zero needs nothing', -5, limited(0), [a], '', '', 3],
  ]
  for (const [what, total, allowance, bonuses, before, after, left] of rows) {
    it(what, () => {
      const settled = settle({ bonuses, draws: draws(before), total: units(total), allowance, now })
      assert.equal(spell(settled.draws), after)
      assert.equal(settled.bonusUsed, sumOf(draws(after)))
      assert.equal(settled.bonusRemaining, units(left))
    })
  }

  it('returns to an expired bonus, where it is lost', () => {
    const expired = { ...a, expiresAt: now, drawn: units(3) }
    const { draws: after, bonusRemaining } = settle({
      bonuses: [expired],
      draws: draws('a3'),
      total: units(11),
      allowance: limited(10),
      now,
    })
    assert.deepEqual([spell(after), bonusRemaining], ['a1', 0n])
  })

  it('draws nothing from an expired bonus', () => {
    const settled = settle({
      bonuses: [{ ...a, expiresAt: now }, b],
      draws: [],
      total: units(12),
      allowance: limited(10),
      now,
    })
    assert.equal(spell(settled.draws), 'b2')
  })

  it('tells what it moved in order: drawn, or returned last drawn first, never both', () => {
    const movesOf = (bonuses: Bonus[], before: string, total: number) =>
      spell(settle({ bonuses, draws: draws(before), total: units(total), allowance: limited(10), now }).moves)
    assert.equal(movesOf([a, b], '', 14), 'a3 b1')
    assert.equal(movesOf([drawnA, drawnB], 'a3 b1', 12), 'b-1 a-1')
    assert.equal(movesOf([drawnA, drawnB], 'a3 b1', 14), '')
  })

  it('leaves the draws it was given alone', () => {
    const before = draws('a3 b1')
    settle({ bonuses: [drawnA, drawnB], draws: before, total: units(12), allowance: limited(10), now })
    settle({ bonuses: [drawnA, drawnB], draws: before, total: units(16), allowance: limited(10), now })
    assert.equal(spell(before), 'a3 b1')
  })

  it('throws when a bonus that is to be returned to is not at hand', () => {
    const absent = { bonuses: [b], draws: draws('a3'), total: units(11), allowance: limited(10), now }
    assert.throws(() => settle(absent), /the bonus a was drawn on and is not at hand/)
  })

  it('keeps the laws for any history of totals, limits and times', () => {
    const step = fc.record({
      total: fc.integer({ min: -5, max: 40 }),
      limit: fc.integer({ min: 0, max: 15 }),
      at: fc.integer({ min: 0, max: 10 }),
      hasAccess: fc.boolean(),
    })
    const given = fc.array(
      fc.record({
        amount: fc.integer({ min: 1, max: 9 }),
        expires: fc.option(fc.integer({ min: 1, max: 10 })),
      }),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(given, fc.array(step, { maxLength: 12 }), (list, steps) => {
        let bonuses = list.map(({ amount, expires }, index) =>
          bonus(String(index), amount, expires === null ? {} : { expiresAt: now + expires }),
        )
        let held = draws('')
        for (const { total, limit, at, hasAccess } of steps) {
          const allowance = hasAccess ? limited(limit) : noAllowance
          const settled = settle({ bonuses, draws: held, total: units(total), allowance, now: now + at })
          const again = (id: string) =>
            sumOf(settled.draws.filter((draw) => draw.bonusId === id)) -
            sumOf(held.filter((draw) => draw.bonusId === id))
          bonuses = bonuses.map((each) => ({ ...each, drawn: each.drawn + again(each.bonusId) }))
          for (const each of bonuses) assert.ok(each.drawn >= 0n && each.drawn <= each.amount)
          if (!hasAccess) assert.equal(spell(settled.draws), spell(held))
          else {
            const need = units(Math.max(0, total - limit))
            assert.ok(settled.bonusUsed <= need)
            assert.equal(settled.bonusUsed - sumOf(held), sumOf(settled.moves))
            assert.ok(settled.bonusUsed === need || settled.bonusRemaining === 0n)
          }
          held = [...settled.draws]
        }
      }),
    )
  })
})

describe('appendDraw', () => {
  it('keeps a run of one bonus as one', () => {
    const list = draws('a1')
    for (const draw of draws('a2 b1 a1')) appendDraw(list, draw)
    assert.equal(spell(list), 'a3 b1 a1')
  })
})

describe('applyToBonuses', () => {
  it('counts all moves of a bonus, and keeps the very objects of those that end as they were', () => {
    const before = [bonus('a', 5, { drawn: units(2) }), bonus('b', 5)]
    const after = applyToBonuses(before, draws('a3 a-1 b2 b-2'))
    assert.deepEqual(
      after.map((each) => each.drawn),
      [units(4), 0n],
    )
    assert.equal(after[1], before[1])
    assert.equal(applyToBonuses(before, []), before)
  })
})
