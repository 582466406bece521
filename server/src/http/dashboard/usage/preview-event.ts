// POST /dashboard/api/{environment}/events/{eventId}/preview
import { z } from 'zod'
import { amountToNumber } from '../../../domain/amount.ts'
import { invalid } from '../../../domain/errors.ts'
import { type PeriodFigures, previewEvent } from '../../../operations/usage/preview-event.ts'
import { amount, thingId, timestamp } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

const figures = z.strictObject({ used: z.number(), remaining: z.number().optional() })

export const previewEventRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/events/{eventId}/preview',
  access: 'read',
  tag: 'Usage',
  summary: 'What editing or deleting a usage event would change',
  description:
    'Nothing is written. The periods are those that the event lies in, would lie in, and the current one.',
  params: z.strictObject({ eventId: thingId }),
  body: z.strictObject({
    amount: amount.optional(),
    occurredAt: timestamp.optional(),
    delete: z.literal(true).optional(),
  }),
  responses: {
    200: z.strictObject({
      periods: z.array(
        z.strictObject({
          featureKey: z.string(),
          start: z.int(),
          end: z.int(),
          before: figures,
          after: figures,
        }),
      ),
    }),
  },
  errors: [404],
  handle: async ({ params, body, context }, services) => {
    const { amount: newAmount, occurredAt, delete: isDeleted = false } = body
    if (isDeleted && (newAmount !== undefined || occurredAt !== undefined))
      throw invalid('delete: an event is either edited or deleted.')
    const edit = { amount: newAmount, occurredAt, isDeleted }
    const periods = await previewEvent(services, context, params.eventId, edit)
    return {
      body: {
        periods: periods.map(({ before, after, ...period }) => ({
          ...period,
          before: toApiFigures(before),
          after: toApiFigures(after),
        })),
      },
    }
  },
})

const toApiFigures = ({ used, remaining }: PeriodFigures): z.input<typeof figures> => ({
  used: amountToNumber(used),
  ...(remaining === undefined ? {} : { remaining: amountToNumber(remaining) }),
})
