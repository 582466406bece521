// The kinds of values that bodies, queries and paths are made of, each with the words for what is wrong with it.
import { z } from 'zod'
import { countDigits, isAmount } from '../domain/amount.ts'
import { catalogueKeyForm } from '../domain/catalogue/catalogue.ts'
import { invalid } from '../domain/errors.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const control = /[\u0000-\u001f\u007f-\u009f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, but for tab and line breaks
const controlButLayout = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

type TextRule = { min?: number; max: number; layout?: boolean }

function findTextFault(text: string, { min = 1, max, layout = false }: TextRule): string | undefined {
  if (text.length < min) return 'must not be empty'
  // Characters, not UTF-16 units; only a text that could be too long is counted.
  if (text.length > max && [...text].length > max) return `must have at most ${max} characters`
  if ((layout ? controlButLayout : control).test(text)) return 'must not contain control characters'
  if (!text.isWellFormed()) return 'must not contain lone surrogates'
  return undefined
}

const text = (rule: TextRule) =>
  z
    .string()
    .superRefine((value, context) => {
      const fault = findTextFault(value, rule)
      if (fault) context.addIssue({ code: 'custom', message: fault, input: value })
    })
    .meta({ minLength: rule.min ?? 1, maxLength: rule.max })

export const name = text({ max: 255 })
export const email = text({ max: 255 }).pipe(z.email({ error: 'must be an email address' }))
/** Of any form here: what a new one must be is decided where it is set. */
export const password = z.string().min(1, { error: 'must not be empty' }).max(1000)
export const reason = text({ max: 1000, layout: true })
export const description = text({ min: 0, max: 1000, layout: true })
export const search = text({ min: 0, max: 255 })

/** Of features and products: it goes into paths and code. */
export const catalogueKey = z.string().regex(catalogueKeyForm, {
  error: 'must be 1 to 128 letters, digits or . _ : - and begin with a letter or digit',
})

const callersId = z
  .string()
  .superRefine((value, context) => {
    const fault =
      value === '.' || value === '..' ? 'must not be "." or ".."' : findTextFault(value, { max: 255 })
    if (fault) context.addIssue({ code: 'custom', message: fault, input: value })
  })
  .meta({ minLength: 1, maxLength: 255 })

export const customerId = callersId.meta({ description: 'Your own id of the customer', example: 'acme' })
export const eventKey = callersId.meta({
  description: 'Stable unique id of the event: send the same on a retry',
})

export const amount = z
  .number()
  .refine(isAmount, {
    error: 'must have at most 15 significant digits and 6 decimals, and lie within ±10^12',
  })
  .meta({ minimum: -1e12, maximum: 1e12 })

const isTimestamp = (value: number) => value >= Date.UTC(2000) && value < Date.UTC(2101)
const timestampRule = 'must be Unix milliseconds of a year from 2000 to 2100'
export const timestamp = z.int().refine(isTimestamp, {
  error: ({ input }) =>
    isTimestamp(Number(input) * 1000) ? `${timestampRule} (this looks like seconds)` : timestampRule,
})

/** z.record would drop a key named `__proto__`; here it is a key like any other. */
export const metadata = z
  .custom<Record<string, string>>()
  .superRefine((value: unknown, context) => {
    const fault = findMetadataFault(value)
    if (fault)
      context.addIssue({ code: 'custom', message: fault.message, path: fault.path, input: fault.value })
  })
  .meta({
    type: 'object',
    additionalProperties: { type: 'string' },
  })

function findMetadataFault(value: unknown): { message: string; path: string[]; value: unknown } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { message: 'must be an object whose values are strings', path: [], value }
  }
  const entries = Object.entries(value)
  if (entries.length > 50) return { message: 'must have at most 50 keys', path: [], value }
  let size = 0
  for (const [key, each] of entries) {
    const keyFault = findTextFault(key, { max: 40 })
    if (keyFault) return { message: `has a key that ${keyFault}`, path: [], value: key }
    if (typeof each !== 'string') return { message: 'must be a string', path: [key], value: each }
    const fault = findTextFault(each, { min: 0, max: 500, layout: true })
    if (fault) return { message: fault, path: [key], value: each }
    size += Buffer.byteLength(key) + Buffer.byteLength(each)
  }
  return size > 8192 ? { message: 'must have at most 8 KiB in all', path: [], value } : undefined
}

const wholeNumber = /^[0-9]{1,15}$/

/** A number in a query string. */
const queryInteger = z.string().regex(wholeNumber, { error: 'must be a whole number' }).transform(Number)

export const queryTimestamp = queryInteger.pipe(timestamp)
export const queryBoolean = z.enum(['true', 'false']).transform((value) => value === 'true')

const pageLimit = queryInteger
  .refine((value) => value >= 1 && value <= 100, { error: 'must be from 1 to 100' })
  .meta({ description: 'From 1 to 100; 50 unless said otherwise' })
export const cursor = z.string().max(500).meta({ description: 'The nextCursor of the page before' })
export const page = { limit: pageLimit.optional(), cursor: cursor.optional() }

/** An id of ours: whatever does not lead to a thing is unknown rather than invalid. */
export const thingId = z.string().meta({ maxLength: 2000 })

export const queryAmount = z
  .string()
  .regex(/^[0-9]{1,13}(\.[0-9]{1,6})?$/, { error: 'must be a decimal number of at least 0' })
  .refine((text) => countDigits(text) <= 15, { error: 'must have at most 15 significant digits' })
  .transform(Number)
  .pipe(amount)

/** A header is text of one line already; what is left to check is its length. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const fault = typeof header === 'string' ? findTextFault(header, { max: 255 }) : 'must be given once'
  if (fault) throw invalid(`Idempotency-Key ${fault}.`)
  return header as string
}

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

// What a parser would mend (a missing slash, a backslash, blanks) is a mistake, and what it leads to a matter of the browser.
const addressForm = /^https?:\/\/[^/\\\s][^\\\s]*$/

function isRedirect(text: string): boolean {
  if (!addressForm.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && localHosts.has(hostname))
}

export const redirectUrl = text({ max: 2048 })
  .refine(isRedirect, { error: 'must be an https address, or http on localhost' })
  .meta({ description: 'https, or http on localhost', format: 'uri' })

export const providerId = text({ max: 255 })
