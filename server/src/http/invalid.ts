// Turns what zod found into one sentence that names the field, what came and what is allowed.
import type { z } from 'zod'
import { invalid, type RequestError } from '../domain/errors.ts'

type Part = 'body' | 'query' | 'path'

/** `at` is where the input stands in its part, if it is not the whole of it. */
export function toRequestError(
  error: z.ZodError,
  part: Part,
  input: unknown,
  at: readonly PropertyKey[] = [],
): RequestError {
  const issue = error.issues[0]
  if (!issue) return invalid(`The ${part} is invalid.`)
  const value = valueAt(input, issue.path)
  const path = [...at, ...issue.path]
  const field = nameOf(path, part)
  if (issue.code === 'unrecognized_keys') {
    const place = path.length > 0 ? ` in ${field}` : part === 'body' ? ' in the body' : ` in the ${part}`
    return invalid(`${show(issue.keys[0])} is not a known field${place}.`, 'unknown_field')
  }
  if (value === undefined) return invalid(`${field} is required.`, 'missing_field')
  // Sent twice, a query's field is an array of what was sent.
  if (part === 'query' && Array.isArray(value)) return invalid(`${field} must be sent once.`)
  return invalid(`${field} ${ruleOf(issue)}, but ${show(value)} came.`)
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected === 'int' ? 'integer' : issue.expected)}`
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${show(issue.values[0])}`
        : `must be one of ${issue.values.map(show).join(', ')}`
    case 'too_small':
      if (issue.origin === 'array') return `must have at least ${issue.minimum} items`
      return issue.inclusive ? `must be at least ${issue.minimum}` : `must be greater than ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'array') return `must have at most ${issue.maximum} items`
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`
      return `must be at most ${issue.maximum}`
    default:
      return issue.message
  }
}

const article = (noun: string) => (/^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`)

function nameOf(path: PropertyKey[], part: Part): string {
  if (path.length === 0) return part === 'body' ? 'The body' : `The ${part}`
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step).slice(0, 60)}`,
    )
    .join('')
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}

/** What came, short enough for a sentence. */
function show(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  // The only way for one to come: it has digits that would have been lost.
  if (Number.isNaN(value)) return 'one of more than 15 significant digits'
  return String(value)
}
