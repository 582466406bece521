// The event endpoints: the log of what happened, newest first.
import { z } from 'zod'
import { onlyOneOf } from '../api/errors.ts'
import { bool, listOf, text } from '../api/form.ts'
import { answerList, createdParam, noParams, paging, type Route, route, toCreated } from '../api/route.ts'
import { getObject } from '../context.ts'

/** Stripe's own limit. */
const maxTypes = 20

const listParams = z.strictObject({
  ...paging,
  type: text.optional(),
  types: listOf(text, maxTypes).optional(),
  created: createdParam,
  delivery_success: bool.optional(),
})

export const eventRoutes: Route[] = [
  route('GET', '/v1/events', listParams, async (context, _id, { type, types, created, ...page }) => {
    if (type !== undefined && types !== undefined) throw onlyOneOf('type', 'types')
    const wanted = type === undefined ? types : [type]
    return answerList(context, page, {
      object: 'event',
      ...(wanted === undefined ? {} : { types: wanted }),
      ...toCreated(created),
    })
  }),
  route('GET', '/v1/events/:id', noParams, (context, id) => getObject(context, 'event', id)),
]
