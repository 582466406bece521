// Reading JSON without losing anything in silence: JSON.parse keeps the last of two fields with the same name, and rounds a
// number of many digits.
import { countDigits } from '../domain/amount.ts'
import { invalid, type RequestError } from '../domain/errors.ts'

const digitsAtMost = 15

/** Throws what JSON.parse throws. A number that rounding would change becomes NaN, which no field takes. */
export function parseExactly(body: Buffer): { value: unknown } | { repeated: RequestError } {
  const text = body.toString()
  const value: unknown = JSON.parse(text)
  const { colons, hasLongNumber } = scan(body)
  // Every name is followed by the one colon outside of texts; fewer fields than colons means that some had the same name.
  if (colons !== countFields(value)) return { repeated: toRepeated(text) }
  return { value: hasLongNumber ? parseLongNumbers(text) : value }
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const point = 0x2e

/** One look at each byte, about 1 µs for a usual body. */
function scan(body: Buffer): { colons: number; hasLongNumber: boolean } {
  let colons = 0
  let digits = 0
  let hasLongNumber = false
  let isText = false
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] as number
    if (isText) {
      if (byte === backslash) index++
      else if (byte === quote) isText = false
    } else if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > digitsAtMost) hasLongNumber = true
    } else if (byte !== point) {
      digits = 0
      if (byte === quote) isText = true
      else if (byte === colon) colons++
    }
  }
  return { colons, hasLongNumber }
}

/** Without recursion: a body may be nested as deep as it is long. */
function countFields(value: unknown): number {
  let count = 0
  const rest = [value]
  while (rest.length > 0) {
    const each = rest.pop()
    if (typeof each !== 'object' || each === null) continue
    const inner = Object.values(each)
    if (!Array.isArray(each)) count += inner.length
    for (const one of inner) if (typeof one === 'object') rest.push(one)
  }
  return count
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g

function toRepeated(text: string): RequestError {
  const open: Set<string>[] = []
  let last = ''
  for (const [each] of text.matchAll(token)) {
    if (each === '{' || each === '[') open.push(new Set())
    else if (each === '}' || each === ']') open.pop()
    else if (each === ':') {
      const names = open.at(-1)
      const name: string = JSON.parse(last)
      if (names?.has(name))
        return invalid(`${JSON.stringify(name.slice(0, 60))} must be sent once.`, 'repeated_field')
      names?.add(name)
    }
    last = each
  }
  return invalid('Each field must be sent once.', 'repeated_field')
}

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown

/** What is too long also as a number keeps its own value: its field refuses that by itself, and shows it. */
const withoutRounding: Reviver = (_name, value, { source }) => {
  if (typeof value !== 'number' || source === undefined) return value
  const isRounded = countDigits(source) > digitsAtMost && countDigits(String(value)) <= digitsAtMost
  return isRounded ? Number.NaN : value
}

const parseLongNumbers = (text: string): unknown =>
  JSON.parse(text, withoutRounding as Parameters<typeof JSON.parse>[1])
