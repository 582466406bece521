// Stripe's search, in its simple form: clauses like `metadata['key']:'value'` or `email:'…'`, joined by AND.
import { z } from 'zod'
import { type Context, findObject } from '../context.ts'
import { ApiError, missing } from './errors.ts'
import { text } from './form.ts'
import { paging, type Route, route } from './route.ts'

const quoted = String.raw`(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")`
const clause = new RegExp(
  String.raw`^\s*(\w+)(?:\[${quoted}\])?\s*:\s*(?:${quoted}|(\d+))\s*(?:(AND)\s+|$)`,
  'i',
)
/** Stripe's own limit. */
const maxClauses = 10

const unquote = (value: string) => value.replace(/\\(.)/g, '$1')

/** The fields that an object must have to be found. */
function parseSearch(query: string, fields: string[]): Record<string, unknown> {
  const wanted: Record<string, unknown> = {}
  const metadata: Record<string, string> = {}
  let rest = query
  let isJoined = true
  for (let count = 0; rest.trim() !== '' || isJoined; count++) {
    const match = clause.exec(rest)
    if (match === null || count >= maxClauses) {
      throw new ApiError(
        'We were unable to parse your search query. Try using the format `metadata["key"]:"value"` to query for metadata or key:"value" to query for other fields.',
        { param: 'query' },
      )
    }
    const [whole, field = '', key1, key2, value1, value2, number, joint] = match
    const key = key1 ?? key2
    const value = value1 ?? value2
    if ((field === 'metadata') !== (key !== undefined) || !(field === 'metadata' || fields.includes(field))) {
      throw new ApiError(`Field \`${field}\` is an unsupported search field for this resource.`, {
        param: 'query',
      })
    }
    if (key !== undefined) metadata[unquote(key)] = unquote(value ?? number ?? '')
    else wanted[field] = value === undefined ? Number(number) : toValue(unquote(value))
    rest = rest.slice(whole.length)
    isJoined = joint !== undefined
  }
  return { ...wanted, ...(Object.keys(metadata).length > 0 && { metadata }) }
}

/** `active:'true'` is about a flag, not about a text. */
const toValue = (value: string): unknown => (value === 'true' ? true : value === 'false' ? false : value)

const searchParams = z.strictObject({ query: text, limit: paging.limit, page: text.optional() })

async function search(
  context: Context,
  object: string,
  fields: string[],
  input: z.infer<typeof searchParams>,
) {
  const { query, limit, page } = input
  const startingAfter = page === undefined ? undefined : Buffer.from(page, 'base64url').toString()
  if (startingAfter !== undefined && (await findObject(context, object, startingAfter)) === undefined) {
    throw missing('page', page ?? '', 'page')
  }
  const list = await context.store.listObjects({
    object,
    contains: parseSearch(query, fields),
    limit,
    ...(startingAfter !== undefined && { startingAfter }),
  })
  const found = list.slice(0, limit)
  const last = found.at(-1)
  const hasMore = list.length > limit && last !== undefined
  return { found, nextPage: hasMore ? Buffer.from(last.id).toString('base64url') : null }
}

const searchRoute = (path: string, object: string, fields: string[]): Route =>
  route('GET', path, searchParams, (context, _id, input) => search(context, object, fields, input))

/** Must be asked before the routes of single objects: `search` is no id. */
export const searchRoutes: Route[] = [
  searchRoute('/v1/customers/search', 'customer', ['email', 'name', 'phone', 'created']),
  searchRoute('/v1/subscriptions/search', 'subscription', ['status', 'created']),
  searchRoute('/v1/products/search', 'product', ['active', 'name', 'description', 'url']),
  searchRoute('/v1/prices/search', 'price', ['active', 'currency', 'lookup_key', 'product', 'type']),
]
