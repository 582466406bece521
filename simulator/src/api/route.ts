// The form of one simulated endpoint: method, path, the parameters it takes, and what it does; and how lists are answered.
import { z } from 'zod'
import { type Context, findObject } from '../context.ts'
import type { ObjectFilter } from '../store/store.ts'
import { fromZod, missing } from './errors.ts'
import { type Form, integer, text } from './form.ts'

export type Body = { id: string; object: string }
export type ListAnswer = { list: Body[]; hasMore: boolean }

export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  /** `:id` stands for one segment. */
  path: string
  run(context: Context, id: string, form: Form): Promise<Body | ListAnswer>
}

export function route<Schema extends z.ZodType>(
  method: Route['method'],
  path: string,
  schema: Schema,
  run: (context: Context, id: string, input: z.infer<Schema>) => Promise<Body | ListAnswer>,
): Route {
  return {
    method,
    path,
    run: (context, id, form) => {
      const input = schema.safeParse(form)
      if (!input.success) throw fromZod(input.error)
      return run(context, id, input.data)
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
