// Exact amounts: usage, limits and bonuses are whole millionths in a bigint, so that 0.1 + 0.2 is 0.3.
// Converting from and to what JSON and PostgreSQL speak happens here and nowhere else.

/** Counted in millionths: 1.5 is 1500000n. */
export type Amount = bigint

const decimals = 6
const unit = 1_000_000n
const largestNumber = 1e12

/** The largest magnitude that an amount, and any total of amounts, may have. */
export const maxAmount: Amount = BigInt(largestNumber) * unit

/** What is left is something when this fits into it. */
export const smallestAmount: Amount = 1n

// Below 2^51 millionths the two roundings of `value * 1e6` together stay under one half, so rounding the
// product finds the very decimal that was written.
const exactProductBelow = 2 ** 51 / 1e6

/** Whether a number has at most 15 significant digits and 6 decimals and lies within ±10^12. */
export function isAmount(value: number): boolean {
  if (!(Math.abs(value) <= largestNumber)) return false
  if (Number.isInteger(value)) return true
  // Fifteen digits survive the way through a double, so the shortest text is what the caller wrote.
  const text = String(Math.abs(value))
  if (text.includes('e')) return false
  const dot = text.indexOf('.')
  if (text.length - dot - 1 > decimals) return false
  const whole = text.slice(0, dot)
  return (whole === '0' ? 0 : whole.length) + text.length - dot - 1 <= 15
}

/** The significant digits of a decimal text. */
export function countDigits(text: string): number {
  const [mantissa = ''] = text.toLowerCase().split('e')
  const digits = mantissa.replace(/[-+.]/g, '').replace(/^0+/, '')
  return digits.replace(/0+$/, '').length
}

/** Exact for every number that `isAmount` accepts. */
export function amountFromNumber(value: number): Amount {
  if (Number.isSafeInteger(value)) return BigInt(value) * unit
  if (Math.abs(value) < exactProductBelow) return BigInt(Math.round(value * 1e6))
  return amountFromText(String(value))
}

/** The number nearest to the amount; its shortest text is the amount itself up to 15 significant digits. */
export function amountToNumber(amount: Amount): number {
  const millionths = Number(amount)
  // Both operands are exact, so the one rounding of the division gives the nearest double.
  return Number.isSafeInteger(millionths) ? millionths / 1e6 : Number(amountToText(amount))
}

/** Reads a decimal as PostgreSQL writes `numeric` with at most 6 decimals: '3', '-12.500000'. */
export function amountFromText(text: string): Amount {
  const dot = text.indexOf('.')
  if (dot === -1) return BigInt(text) * unit
  return BigInt(text.slice(0, dot) + text.slice(dot + 1).padEnd(decimals, '0'))
}

/** The shortest decimal text: '3', '-12.5'. */
export function amountToText(amount: Amount): string {
  if (amount % unit === 0n) return String(amount / unit)
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${fraction}`
}

export const smaller = (a: Amount, b: Amount): Amount => (a < b ? a : b)
