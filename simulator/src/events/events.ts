// The event endpoints: the log of what happened, newest first.
import { z } from 'zod'
import { integer, listOf, text } from '../api/form.ts'
import { answerList, noParams, paging, type Route, route } from '../api/route.ts'
import { getObject } from '../context.ts'

const listParams = z.strictObject({
  ...paging,
  type: text.optional(),
  types: listOf(text).optional(),
  created: z.strictObject({ gte: integer.optional() }).optional(),
})

export const eventRoutes: Route[] = [
  route('GET', '/v1/events', listParams, (context, _id, { type, types, created, ...page }) =>
    answerList(context, page, {
      object: 'event',
      ...(type === undefined ? {} : { types: [type] }),
      ...(types === undefined ? {} : { types }),
      ...(created?.gte === undefined ? {} : { createdFrom: created.gte }),
    }),
  ),
  route('GET', '/v1/events/:id', noParams, (context, id) => getObject(context, 'event', id)),
]
