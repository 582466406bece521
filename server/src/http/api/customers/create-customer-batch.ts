// POST /v1/customers/batch
import { z } from 'zod'
import { createCustomerBatch } from '../../../operations/customers/create-customer-batch.ts'
import { answerBatch, batchItems, batchSchema } from '../../batch.ts'
import { newCustomerFields } from '../../resources/customer.ts'
import { defineRoute } from '../../route.ts'

const item = z.strictObject(newCustomerFields)
const result = z.strictObject({ customerId: z.string(), isNew: z.boolean() })

export const createCustomerBatchRoute = defineRoute({
  operationId: 'createCustomerBatch',
  method: 'POST',
  path: '/v1/customers/batch',
  access: 'write',
  tag: 'Customers',
  summary: 'Create up to 100 customers',
  description:
    'For importing: the payment provider is told of them in the background, so that nobody waits for it. Items are independent: a failed one leaves the rest alone, and its error names the place (customers[6].email). ifExists as for one customer; with it the same batch can be sent again. Results are in the order of customers.',
  body: z.strictObject({ customers: batchItems(item) }),
  responses: { 200: batchSchema(result) },
  handle: async ({ body, context }, services) => ({
    body: await answerBatch(body.customers, {
      noun: 'customers',
      schema: item,
      again: 'it could not be created right now; send it again.',
      work: async (customers) =>
        (await createCustomerBatch(services, context, customers)).map((outcome) =>
          outcome instanceof Error ? outcome : JSON.stringify(outcome),
        ),
    }),
  }),
})
