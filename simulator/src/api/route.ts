// The form of one simulated endpoint: method, path, the parameters it takes, and what it does; and how lists are answered.
import { z } from 'zod'
import { type Context, findObject } from '../context.ts'
import type { ObjectFilter } from '../store/store.ts'
import { fromZod, missing } from './errors.ts'
import { type Form, integer, text } from './form.ts'

export type Body = { id: string; object: string }
type ListAnswer = { list: Body[]; hasMore: boolean }
type SearchAnswer = { found: Body[]; nextPage: string | null }
export type RouteAnswer = Body | ListAnswer | SearchAnswer

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /** `:id` stands for one segment. */
  path: string
  /** Checks the parameters: what it throws is said before anything was begun. */
  prepare(form: Form): (context: Context, id: string) => Promise<RouteAnswer>
}

export function route<Schema extends z.ZodType>(
  method: Route['method'],
  path: string,
  schema: Schema,
  run: (context: Context, id: string, input: z.infer<Schema>) => Promise<RouteAnswer>,
): Route {
  return {
    method,
    path,
    prepare: (form) => {
      const input = schema.safeParse(form)
      if (!input.success) throw fromZod(input.error)
      return (context, id) => run(context, id, input.data)
    },
  }
}

export const noParams = z.strictObject({})

/** Parameters of every list. */
export const paging = {
  limit: integer.refine((limit) => limit >= 1 && limit <= 100, 'must be 1 to 100').default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
}

/** The `created` of a list: one instant, or bounds. */
export const createdParam = z
  .union([
    integer.transform((at) => ({ gte: at, lte: at })),
    z.strictObject({
      gt: integer.optional(),
      gte: integer.optional(),
      lt: integer.optional(),
      lte: integer.optional(),
    }),
  ])
  .optional()

type Created = z.infer<typeof createdParam> & { gt?: number | undefined; lt?: number | undefined }

export function toCreated(
  created: z.infer<typeof createdParam>,
): Pick<ObjectFilter, 'createdFrom' | 'createdTo'> {
  const { gt, gte, lt, lte } = (created ?? {}) as Created
  const from = gte ?? (gt === undefined ? undefined : gt + 1)
  const to = lte ?? (lt === undefined ? undefined : lt - 1)
  return { ...(from !== undefined && { createdFrom: from }), ...(to !== undefined && { createdTo: to }) }
}

type Paging = { limit: number; starting_after?: string | undefined; ending_before?: string | undefined }

async function checkCursor(context: Context, object: string, id: string | undefined, param: string) {
  if (id !== undefined && (await findObject(context, object, id)) === undefined)
    throw missing(object, id, param)
}

export async function answerList(
  context: Context,
  input: Paging,
  filter: Omit<ObjectFilter, 'limit'>,
): Promise<ListAnswer> {
  const { limit, starting_after: startingAfter, ending_before: endingBefore } = input
  await checkCursor(context, filter.object, startingAfter, 'starting_after')
  await checkCursor(context, filter.object, endingBefore, 'ending_before')
  const found = await context.store.listObjects({
    ...filter,
    limit,
    ...(startingAfter === undefined ? {} : { startingAfter }),
    ...(endingBefore === undefined ? {} : { endingBefore }),
  })
  const page = found.slice(0, limit)
  return { list: endingBefore === undefined ? page : page.reverse(), hasMore: found.length > limit }
}

/** The parameters that were sent, as fields to look for; absent ones filter nothing. */
export function present(fields: Record<string, unknown>): { contains?: Record<string, unknown> } {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return sent.length === 0 ? {} : { contains: Object.fromEntries(sent) }
}
