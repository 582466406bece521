// The event endpoints: the log of what happened, newest first.
import { z } from 'zod'
import { integer, listOf, text } from './form.ts'
import { answerList, noParams, paging, type Route, route } from './route.ts'
import { getObject } from './world.ts'

const listParams = z.strictObject({
  ...paging,
  type: text.optional(),
  types: listOf(text).optional(),
  created: z.strictObject({ gte: integer.optional() }).optional(),
})

export const eventRoutes: Route[] = [
  route('GET', '/v1/events', listParams, (world, _id, { type, types, created, ...page }) =>
    answerList(world, page, {
      object: 'event',
      ...(type === undefined ? {} : { types: [type] }),
      ...(types === undefined ? {} : { types }),
      ...(created?.gte === undefined ? {} : { createdFrom: created.gte }),
    }),
  ),
  route('GET', '/v1/events/:id', noParams, (world, id) => getObject(world, 'event', id)),
]
