// Stripe's parameters: form-encoded, nested by brackets, every value a string; and the schemas that read them.
import { z } from 'zod'
import { ApiError } from './errors.ts'

export type Form = { [key: string]: string | Form }

const maxDepth = 8
const newForm = (): Form => Object.create(null)

/** `a[b][0]=x` becomes `{a: {b: {0: 'x'}}}`; whether numbers are list positions is for the schema to know. */
export function parseForm(encoded: string): Form {
  const form = newForm()
  // PostgreSQL cannot store it, and no parameter needs it.
  if (/%00|\0/.test(encoded)) throw new ApiError('Parameters must not contain a null character.')
  for (const [name, value] of new URLSearchParams(encoded)) {
    const open = name.indexOf('[')
    const path = open <= 0 ? [name] : [name.slice(0, open), ...name.slice(open + 1, -1).split('][')]
    if (path.length > maxDepth || (open > 0 && !name.endsWith(']'))) {
      throw new ApiError(`Invalid parameter name: ${name.slice(0, 100)}`)
    }
    let target = form
    for (const part of path.slice(0, -1)) {
      const inner = target[part]
      const next = typeof inner === 'object' ? inner : newForm()
      target[part] = next
      target = next
    }
    const last = path.at(-1) ?? ''
    target[last === '' ? String(Object.keys(target).length) : last] = value
  }
  return form
}

export const text = z.string().max(5_000)
/** Parameters that a caller may send and that change nothing in the simulation. */
export const ignored = z.unknown().optional()

export function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` })
}

const isWebAddress = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
/** An address to send somebody to: with its scheme, as Stripe demands. */
export const url = text.refine(isWebAddress, {
  message: 'Invalid URL: An explicit scheme (such as https) must be provided.',
  params: { code: 'url_invalid' },
})

export const email = z
  .string()
  .max(512)
  .superRefine((value, context) => {
    if (value === '' || /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value)) return
    const message = `Invalid email address: ${value.slice(0, 100)}`
    context.addIssue({ code: 'custom', message, params: { code: 'email_invalid' } })
  })
export const clearableEmail = email.transform((value) => (value === '' ? null : value))

export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be an integer')
  .transform(Number)
export const bool = z.enum(['true', 'false']).transform((value) => value === 'true')
/** An empty string clears a field. */
export const clearable = text.transform((value) => (value === '' ? null : value))
export const timestamp = integer.refine((value) => value >= 0)

export function listOf<T extends z.ZodType>(item: T, max = 100) {
  const toList = (value: unknown) =>
    typeof value === 'object' && value !== null ? Object.values(value) : value
  return z.preprocess(toList, z.array(item).max(max))
}

/** Values to set, `''` to remove one; the whole as `''` removes all. */
export const metadata = z
  .custom<Form | ''>((value) => value === '' || typeof value === 'object')
  .transform((value, context) => {
    const entries = value === '' ? [] : Object.entries(value)
    const valid = entries.every(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && entry[0].length <= 40 && entry[1].length <= 500,
    )
    if (!valid || entries.length > 50) {
      context.addIssue({
        code: 'custom',
        message: 'must be at most 50 keys of 40 with values of 500 characters',
      })
      return z.NEVER
    }
    return { replace: value === '', entries }
  })

type MetadataChange = z.infer<typeof metadata>

export function mergeMetadata(
  current: Record<string, string>,
  change: MetadataChange | undefined,
): Record<string, string> {
  if (change === undefined) return current
  const merged = new Map(change.replace ? [] : Object.entries(current))
  for (const [key, value] of change.entries) {
    if (value === '') merged.delete(key)
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}
