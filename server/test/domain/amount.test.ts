// Amounts are exact: what goes in as a JSON number or as numeric text comes out the same, and sums carry no dust.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  amountFromNumber,
  amountFromText,
  amountToNumber,
  amountToText,
  isAmount,
  maxAmount,
} from '../../src/domain/amount.ts'

// Every decimal that isAmount should accept, built from its digits and not from a division.
const decimalText = fc
  .record({ digits: fc.integer({ min: 0, max: 15 }), decimals: fc.integer({ min: 0, max: 6 }) })
  .chain(({ digits, decimals }) =>
    fc
      .record({ negative: fc.boolean(), value: fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n }) })
      .map(({ negative, value }) => {
        const text = value.toString().padStart(decimals + 1, '0')
        const whole = text.slice(0, text.length - decimals)
        const fraction = text.slice(text.length - decimals).replace(/0+$/, '')
        const sign = negative && value !== 0n ? '-' : ''
        return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
      }),
  )
  .filter((text) => Math.abs(Number(text)) <= 1e12)

describe('amountFromNumber', () => {
  for (const [value, amount] of [
    [0, 0n],
    [-0, 0n],
    [1, 1_000_000n],
    [0.1, 100_000n],
    [1e-6, 1n],
    [-1e-6, -1n],
    [2.675, 2_675_000n],
    [4503599627.370497, 4_503_599_627_370_497n],
    [999_999_999.999999, 999_999_999_999_999n],
    [-999_999_999.999999, -999_999_999_999_999n],
    [99_999_999_999.9999, 99_999_999_999_999_900n],
    [999_999_999_999.999, 999_999_999_999_999_000n],
    [1e12, maxAmount],
    [-1e12, -maxAmount],
  ] as const) {
    it(`reads ${value} as ${amount} millionths`, () => {
      assert.equal(amountFromNumber(value), amount)
    })
  }
})

describe('isAmount', () => {
  for (const value of [0, -0, 1, -1, 1e12, -1e12, 1e-6, 0.123456, 123_456_789.123456, 999_999_999_999.999])
    it(`accepts ${value}`, () => assert.equal(isAmount(value), true))
  for (const value of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e12 + 1,
    -1e12 - 1,
    1e300,
    1e-7,
    0.1234567,
    0.1 + 0.2,
    1_234_567_890.123456,
    999_999_999_999.9999,
  ])
    it(`refuses ${value}`, () => assert.equal(isAmount(value), false))
})

describe('numeric text', () => {
  for (const [text, amount] of [
    ['0', 0n],
    ['3', 3_000_000n],
    ['-3', -3_000_000n],
    ['-12.500000', -12_500_000n],
    ['0.000001', 1n],
    ['-0.000001', -1n],
    ['-0.5', -500_000n],
    ['1000000000000.000000', maxAmount],
  ] as const) {
    it(`reads ${text} as ${amount} millionths`, () => assert.equal(amountFromText(text), amount))
  }

  it('is written in its shortest form', () => {
    assert.deepEqual(
      [0n, 1n, -1n, -500_000n, 12_500_000n, -3_000_000n, 10_000_000n, maxAmount].map(amountToText),
      ['0', '0.000001', '-0.000001', '-0.5', '12.5', '-3', '10', '1000000000000'],
    )
  })
})

describe('every amount', () => {
  it('is accepted and keeps its digits through number and text', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const value = Number(text)
        assert.equal(isAmount(value), true)
        assert.equal(amountFromNumber(value), amountFromText(text))
        assert.equal(amountToNumber(amountFromText(text)), value)
        assert.equal(amountToText(amountFromText(text)), text)
      }),
      { numRuns: 5000 },
    )
  })

  it('survives text for any count of millionths', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -maxAmount, max: maxAmount }), (amount) => {
        assert.equal(amountFromText(amountToText(amount)), amount)
        assert.equal(amountToNumber(amount), Number(amountToText(amount)))
      }),
      { numRuns: 5000 },
    )
  })

  it('adds without dust', () => {
    assert.equal(amountToNumber(amountFromNumber(0.1) + amountFromNumber(0.2)), 0.3)
  })
})
